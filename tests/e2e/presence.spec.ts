import { type Browser, expect, type Page, test } from "@playwright/test";
import { drawScene, renderScene } from "../support/drawnScenes";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { type Postgres, postgresFolder, startPostgres } from "../support/postgres";
import { imageFrame } from "../support/userSteps";

/** Two users on two servers with one database: each sees the other's presence, also when a server ends. */
test.describe.configure({ mode: "serial" });

const HEADERS = { "X-Requested-With": "x" };

test.describe("presence", () => {
  test.skip(postgresFolder() === undefined, "PostgreSQL is not installed here");
  let postgres: Postgres;
  let here: LiveServer;
  let there: LiveServer;
  let boss: Page;
  let ann: Page;
  let dataset: number;
  let image: number;

  test.beforeAll(async ({ browser }) => {
    postgres = await startPostgres(postgresFolder() ?? "");
    const env = { DATABASE_URL: postgres.url("postgres") };
    here = await startLiveServer(env);
    there = await startLiveServer({ ...env, DATA_DIR: here.dataDir });
    boss = await newUser(browser, here, "boss");
    ann = await newUser(browser, there, "ann");
    const data = { name: "Two servers", categories: ["house"] };
    const made = await ann.request.post(`${there.url}api/dataset/`, { data, headers: HEADERS });
    dataset = (await made.json()).id;
    const buffer = await renderScene(drawScene(5, 480, 320));
    const file = { name: "field.png", mimeType: "image/png", buffer };
    const multipart = { image: file, dataset_id: String(dataset) };
    image = await (await ann.request.post(`${there.url}api/image/`, { multipart, headers: HEADERS })).json();
  });
  test.afterAll(async () => {
    await boss?.context().close();
    await ann?.context().close();
    await there?.remove();
    await here?.remove();
    await postgres?.stop();
  });

  async function newUser(browser: Browser, server: LiveServer, username: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    const data = { username, password: "correct horse" };
    expect((await page.request.post(`${server.url}api/user/register`, { data, headers: HEADERS })).ok()).toBe(true);
    return page;
  }

  const inList = () => boss.getByRole("article", { name: "field.png" }).getByText("Being annotated by ann");
  const atImage = () => boss.getByText("This image is being annotated by ann");

  test("a list shows who annotates on the other server, until that server is killed", async () => {
    await boss.goto(`${here.url}dataset/${dataset}`);
    await expect(boss.getByRole("article", { name: "field.png" })).toBeVisible();
    await ann.goto(`${there.url}annotate/${image}`);
    await expect(inList()).toBeVisible();
    await there.kill();
    await expect(inList()).toBeHidden();
  });

  test("users of the killed server are shown again when it is back", async () => {
    await there.start();
    await expect(inList()).toBeVisible();
  });

  test("the annotator also shows them, until the other server is stopped", async () => {
    await boss.goto(`${here.url}annotate/${image}`);
    await expect(atImage()).toBeVisible();
    const pointer = boss.locator(".annotator-other-pointer", { hasText: "ann" });
    await expect(pointer).toHaveCount(0);
    const { at } = await imageFrame(ann, 480, 320);
    const { x, y } = at([0.25, 0.5]);
    await ann.mouse.move(x, y);
    await expect(pointer).toBeVisible();
    const shown = async () => {
      const there = (await imageFrame(boss, 480, 320)).at([0.25, 0.5]);
      const box = await pointer.boundingBox();
      return box && Math.hypot(box.x - there.x, box.y - there.y);
    };
    await expect.poll(shown).toBeLessThan(3);
    await there.stop();
    await expect(atImage()).toBeHidden();
    await expect(pointer).toHaveCount(0);
    await there.start();
    await expect(atImage()).toBeVisible();
    await ann.goto("about:blank");
    await expect(atImage()).toBeHidden();
  });

  test("a page that sends too much is notified, and its live updates resume without a reload", async () => {
    await boss.addInitScript(() => {
      const opened: WebSocket[] = [];
      window.WebSocket = class extends WebSocket {
        constructor(...given: ConstructorParameters<typeof WebSocket>) {
          super(...given);
          opened.push(this);
        }
      };
      Object.assign(window, {
        flood: () => {
          for (let i = 0; i < 2_000; i++) opened.at(-1)?.send('42["nonsense"]');
        },
      });
    });
    await boss.goto(`${here.url}dataset/${dataset}`);
    await expect(boss.getByRole("status", { name: "Connected to backend" })).toBeVisible();
    await boss.evaluate("flood()");
    await expect(boss.getByText("Live updates paused")).toBeVisible();
    await expect(boss.getByRole("status", { name: "Could not connect to backend" })).toBeVisible();
    await expect(boss.getByRole("status", { name: "Connected to backend" })).toBeVisible();
    await expect(boss.getByText("Live updates paused")).toBeHidden();
  });
});
