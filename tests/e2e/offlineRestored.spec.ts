import { readdirSync, rmSync } from "node:fs";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { bandedImage, Desk, openDesk } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";
import { operatorCommand } from "../support/operatorCommand";
import { replaceData } from "../support/replaceData";

/**
 * The server's data is restored or replaced under tabs with copies of a dataset and pending edits. Copies of another
 * installation or user are never shown, nothing is sent to the image or user that has the id now, and pending edits
 * wait for their creator's review.
 */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [400, 300];
const PASSWORD = "correct horse";

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let carol: BrowserContext;
let carolsPage: Page;
let town: Awaited<ReturnType<Desk["dataset"]>>;
let backup: string;
const ids = { street: 0, carol: 0 };

const card = (each: Page, name: string) => each.getByRole("listitem", { name });
const command = (name: string, ...args: string[]) => operatorCommand(name, server.dataDir, ...args);

async function upload(through: Desk, datasetId: number, name: string): Promise<number> {
  const answer = await through.page.request.post(`${server.url}api/dataset/${datasetId}/upload`, {
    headers: { "X-Requested-With": "fetch" },
    multipart: { files: { name, mimeType: "image/png", buffer: await bandedImage(WIDTH, HEIGHT) } },
  });
  const { files } = (await answer.json()) as { files: { id: number }[] };
  return files[0]?.id ?? 0;
}

async function makeAvailable(on: Page): Promise<void> {
  await on.goto(`${server.url}dataset/${town.id}`);
  await on.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  await on.getByRole("button", { name: /^Available offline…/ }).click();
  const dialog = on.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make available" }).click();
  await expect(dialog.getByText("Available offline", { exact: true })).toBeVisible();
}

/** Draws a box on an image while the server is away. */
async function drawAway(on: Page, imageId: number): Promise<void> {
  const at = new Desk(on, server.url);
  await at.open(imageId);
  const { at: pixel } = await at.fit(WIDTH, HEIGHT);
  await on.keyboard.press("r");
  await at.drag([pixel(100, 100), pixel(300, 250)]);
  await expect(on.locator('[data-save-state="offline"]')).toBeVisible();
}

/** Returns an API client outside the browser contexts under test. */
async function openScript(): Promise<Desk> {
  const other = await context.browser()?.newContext();
  if (!other) throw new Error("no browser");
  return new Desk(await other.newPage(), server.url);
}

async function logIn(on: Page, username: string): Promise<void> {
  await on.getByLabel("Username").fill(username);
  await on.getByLabel("Password", { exact: false }).first().fill(PASSWORD);
  await on.getByRole("button", { name: "Login" }).click();
  await expect(on).not.toHaveURL(/\/auth/);
}

/** Expects that nothing of the copy is shown while the server is away: no dataset, no list, no image. */
async function expectNothingAway(on: Page): Promise<void> {
  await server.stop();
  await on.goto(`${server.url}datasets`);
  await expect(on.getByText("Not available offline", { exact: true })).toBeVisible();
  await expect(on.getByRole("article")).toHaveCount(0);
  await on.goto(`${server.url}dataset/${town.id}`);
  await expect(on.getByText("Not available offline", { exact: true })).toBeVisible();
  await on.goto(`${server.url}annotate/${ids.street}`);
  await expect(on.getByText("Not available offline", { exact: true })).toBeVisible();
  await expect(on.locator(".annotator-image")).toHaveCount(0);
  await expect(on.locator('img[src^="blob:"]')).toHaveCount(0);
  await server.start();
}

test.beforeAll(async ({ browser }) => {
  const options = { viewport: { width: 1280, height: 800 }, serviceWorkers: "allow" as const };
  ({ server, context, page, desk } = await openDesk(browser, options, [], { isEmbedded: true }));
  town = await desk.dataset("Town", ["lamp"], { "square.png": await bandedImage(WIDTH, HEIGHT) });
  [, backup = ""] = /The backup is (.*\.ndjson\.gz)\./.exec(await command("backup")) ?? [];
  ids.street = await upload(desk, town.id, "street.png");
  carol = await browser.newContext(options);
  carolsPage = await carol.newPage();
  const carols = new Desk(carolsPage, server.url);
  await carols.register("carol");
  ids.carol = (await carols.api<{ user: { id: number } }>("GET", "user/")).user.id;
  await desk.api("POST", `dataset/${town.id}/share`, { users: ["carol"] });
});

test.afterAll(async () => {
  await context.close();
  await carol.close();
  await server.remove();
});

test("after an older backup was restored, pending edits wait for review and the copy is not shown", async () => {
  for (const each of [page, carolsPage]) await makeAvailable(each);
  await server.stop();
  for (const each of [page, carolsPage]) await drawAway(each, ids.street);
  await replaceData(
    server,
    [context, carol],
    () => command("restore", backup, "--force"),
    async () => {
      const script = await openScript();
      await script.api("POST", "user/login", { username: "ada", password: PASSWORD });
      expect(await upload(script, town.id, "kitchen.png")).toBe(ids.street);
      const dave = await script.api<{ user: { id: number } }>("POST", "user/register", {
        username: "dave",
        password: PASSWORD,
      });
      expect(dave.user.id).toBe(ids.carol);
      await script.page.context().close();
    },
  );
  await expect(page).toHaveURL(`${server.url}review`);
  await expect(card(page, "Town: street.png")).toContainText("No image here has this name and size");
  expect(await desk.annotations(ids.street)).toEqual([]);
  await expectNothingAway(page);
  await page.goto(`${server.url}review`);
  await expect(card(page, "Town: street.png")).toContainText("1 annotation drawn or changed");
  expect(await desk.annotations(ids.street)).toEqual([]);
});

test("a user who received the id of a copy's owner sees neither her copy nor her edits", async () => {
  await expect(carolsPage).toHaveURL(/\/auth/);
  await logIn(carolsPage, "dave");
  await expectNothingAway(carolsPage);
  await carolsPage.goto(`${server.url}review`);
  await expect(carolsPage.getByRole("heading", { name: "Nothing to review" })).toBeVisible();
  expect(await desk.annotations(ids.street)).toEqual([]);
});

test("in an emptied data folder nothing of the copy is shown, even if all ids are equal", async () => {
  await page.goto(`${server.url}dataset/${town.id}`);
  await makeAvailable(page);
  await server.stop();
  await drawAway(page, town.image("square.png"));
  await replaceData(
    server,
    [context],
    async () => {
      for (const name of readdirSync(server.dataDir)) rmSync(`${server.dataDir}/${name}`, { recursive: true });
    },
    async () => {
      const script = await openScript();
      await script.register("ada");
      const fresh = await script.dataset("Elsewhere", ["kettle"], { "pan.png": await bandedImage(WIDTH, HEIGHT) });
      expect([fresh.id, fresh.image("pan.png")]).toEqual([town.id, town.image("square.png")]);
      await script.page.context().close();
    },
  );
  await expect(page).toHaveURL(/\/auth/);
  await logIn(page, "ada");
  await expect(page).toHaveURL(`${server.url}review`);
  for (const name of ["Town: street.png", "Town: square.png"])
    await expect(card(page, name)).toContainText("No image here has this name and size");
  ids.street = town.image("square.png");
  await expectNothingAway(page);
  expect(await desk.annotations(town.image("square.png"))).toEqual([]);
});
