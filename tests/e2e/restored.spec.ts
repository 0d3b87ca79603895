import { readdirSync, readFileSync, rmSync } from "node:fs";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { bandedImage, Desk, openDesk, recordProblems } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";
import { operatorCommand } from "../support/operatorCommand";
import { replaceData as replaceDataOf } from "../support/replaceData";

/**
 * The server's data is restored or replaced under open tabs, so that ids denote other images and users. No pending edit
 * is sent to those, and every edit is there for its creator to review.
 */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [640, 480];
const PASSWORD = "correct horse";

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let dataset: { id: number; image: (file: string) => number };
let backup: string;
const problems: string[] = [];

const command = (name: string, ...args: string[]) => operatorCommand(name, server.dataDir, ...args);

async function makeBackup(): Promise<string> {
  const [, file] = /The backup is (.*\.ndjson\.gz)\./.exec(await command("backup")) ?? [];
  return file ?? "";
}

const EDITS = "**/api/annotator/edits";
/** Works while no tab reaches the server, so that the new data is complete before they reconnect. */
async function replaceData(
  contexts: readonly BrowserContext[],
  ...work: [() => Promise<unknown>, () => Promise<void>]
) {
  const [replace, then] = work;
  await replaceDataOf(server, contexts, replace, async () => {
    await then();
    for (const each of contexts) await each.unroute(EDITS);
  });
}

const withhold = (each: BrowserContext) => each.route(EDITS, (route) => route.abort());

async function upload(through: Desk, name: string): Promise<number> {
  const answer = await through.page.request.post(`${server.url}api/dataset/${dataset.id}/upload`, {
    headers: { "X-Requested-With": "fetch" },
    multipart: { files: { name, mimeType: "image/png", buffer: await bandedImage(WIDTH, HEIGHT) } },
  });
  const { files } = (await answer.json()) as { files: { id: number }[] };
  return files[0]?.id ?? 0;
}

async function drawBox(at: Desk, x = 100) {
  const { at: pixel } = await at.fit(WIDTH, HEIGHT);
  await at.page.keyboard.press("r");
  await at.drag([pixel(x, 100), pixel(x + 100, 250)]);
}

const state = (each: Page, status: string) => expect(each.locator(`[data-save-state="${status}"]`)).toBeVisible();
const notice = (each: Page) => each.getByText("made on another installation");
const card = (each: Page, name: string) => each.getByRole("listitem", { name });

async function logIn(each: Page, username: string) {
  await each.getByLabel("Username").fill(username);
  await each.getByLabel("Password", { exact: false }).first().fill(PASSWORD);
  await each.getByRole("button", { name: "Login" }).click();
  await expect(each).not.toHaveURL(/\/auth/);
}

/** Returns an API client with Ada's account, outside the browser context under test. */
async function openScriptAsAda(): Promise<Desk> {
  const other = await context.browser()?.newContext();
  if (!other) throw new Error("no browser");
  const script = new Desk(await other.newPage(), server.url);
  await script.api("POST", "user/login", { username: "ada", password: PASSWORD });
  return script;
}

test.beforeAll(async ({ browser }) => {
  const options = { viewport: { width: 1280, height: 800 } };
  ({ server, context, page, desk } = await openDesk(browser, options, problems, { isEmbedded: true }));
  dataset = await desk.dataset("Town", ["lamp"], { "square.png": await bandedImage(WIDTH, HEIGHT) });
  backup = await makeBackup();
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test.describe("an older backup restored under open tabs", () => {
  let carol: BrowserContext;
  let carolsPage: Page;
  const ids = { street: 0, gone: 0, carol: 0 };

  test("an open tab notices before it sends, and leaves the image", async ({ browser }) => {
    ids.street = await upload(desk, "street.png");
    ids.gone = await upload(desk, "gone.png");
    carol = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    carolsPage = await carol.newPage();
    recordProblems(carolsPage, problems);
    const carols = new Desk(carolsPage, server.url);
    await carols.register("carol");
    ids.carol = (await carols.api<{ user: { id: number } }>("GET", "user/")).user.id;
    await desk.api("POST", `dataset/${dataset.id}/share`, { users: ["carol"] });

    for (const each of [context, carol]) await withhold(each);
    await carols.open(ids.street);
    await drawBox(carols);
    await state(carolsPage, "offline");
    await desk.open(dataset.image("square.png"));
    await drawBox(desk);
    await state(page, "offline");
    await desk.open(ids.gone);
    await drawBox(desk);
    await state(page, "offline");
    await desk.open(ids.street);
    await drawBox(desk);
    await drawBox(desk, 300);
    await state(page, "offline");

    await replaceData(
      [context, carol],
      () => command("restore", backup, "--force"),
      async () => {
        const script = await openScriptAsAda();
        expect(await upload(script, "kitchen.png")).toBe(ids.street);
        await upload(script, "street.png");
        const { user } = await script.api<{ user: { id: number } }>("POST", "user/register", {
          username: "dave",
          password: PASSWORD,
        });
        expect(user.id).toBe(ids.carol);
        await script.page.context().close();
      },
    );
    await expect(page).toHaveURL(`${server.url}review`);
    await expect(page.getByRole("listitem")).toHaveCount(3);
    expect(await desk.annotations(ids.street)).toEqual([]);
  });

  test("boxes are applied to the image of the same name, size and dataset with one click", async () => {
    await expect(card(page, "Town: street.png")).toContainText("2 annotations drawn or changed");
    await expect(card(page, "Town: street.png")).toContainText("The same image exists here.");
    await card(page, "Town: street.png").getByRole("button", { name: "Apply here" }).click();
    await expect(card(page, "Town: street.png")).toHaveCount(0);
    expect(await desk.annotations(ids.street + 1)).toHaveLength(2);
    expect(await desk.annotations(ids.street)).toEqual([]);
  });

  test("boxes of a missing image are applied to the image that the user chooses, or to none", async () => {
    await expect(card(page, "Town: gone.png")).toContainText("No image here has this name and size (640 × 480)");
    await card(page, "Town: gone.png").getByRole("button", { name: "Another image…" }).click();
    const dialog = page.getByRole("dialog", { name: "Apply to another image" });
    await dialog.getByRole("combobox", { name: "Dataset" }).click();
    await page.getByRole("option", { name: "Town" }).click();
    await dialog.getByLabel("File name contains").fill("kitch");
    await dialog.getByRole("button", { name: "kitchen.png (640 × 480)" }).click();
    await expect(card(page, "Town: gone.png")).toHaveCount(0);
    expect(await desk.annotations(ids.street)).toHaveLength(1);
  });

  test("boxes are exported as JSON and discarded", async () => {
    const downloading = page.waitForEvent("download");
    await card(page, "Town: square.png").getByRole("button", { name: "Export" }).click();
    const file = JSON.parse(readFileSync(await (await downloading).path(), "utf8"));
    expect(file).toMatchObject({
      username: "ada",
      changes: [
        {
          image_id: dataset.image("square.png"),
          place: { path: "square.png" },
          rows: [{ edit: { action: "create" } }, { edit: { action: "modify" } }],
        },
      ],
    });
    await card(page, "Town: square.png").getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await expect(page.getByRole("heading", { name: "Nothing to review" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Nothing to review" })).toBeVisible();
    expect(await desk.annotations(dataset.image("square.png"))).toEqual([]);
  });

  test("a tab that is sent to the login page shows how many changes are stored on this device", async () => {
    await expect(carolsPage).toHaveURL(/\/auth/);
    await expect(carolsPage.getByText("1 change on this device has not been sent yet.")).toBeVisible();
  });

  test("a user who received the creator's id sees none of the changes, and nothing is sent", async () => {
    await logIn(carolsPage, "dave");
    await carolsPage.goto(`${server.url}review`);
    await expect(carolsPage.getByRole("heading", { name: "Nothing to review" })).toBeVisible();
    await carolsPage.goto(`${server.url}datasets`);
    await expect(notice(carolsPage)).toHaveCount(0);
    expect(await desk.annotations(ids.street)).toHaveLength(1);
    expect(await desk.annotations(ids.street + 1)).toHaveLength(2);
  });

  test("the creator finds the changes after signing in under another id", async () => {
    await carol.clearCookies();
    const script = new Desk(carolsPage, server.url);
    await script.register("carol");
    expect((await script.api<{ user: { id: number } }>("GET", "user/")).user.id).toBe(ids.carol + 1);
    await desk.api("POST", `dataset/${dataset.id}/share`, { users: ["carol"] });
    await carolsPage.goto(`${server.url}datasets`);
    await expect(notice(carolsPage)).toContainText("1 change you made on another installation needs your review");
    await carolsPage.getByRole("link", { name: "Review" }).click();
    await carolsPage.getByRole("button", { name: "Apply all here (1)" }).click();
    await expect(carolsPage.getByRole("heading", { name: "Nothing to review" })).toBeVisible();
    const creators = (await desk.annotations(ids.street + 1)).map(({ creator }) => creator);
    expect(creators.sort()).toEqual(["ada", "ada", "carol"]);
    await carol.close();
  });
});

test.describe("a restored backup of the same state", () => {
  let second: Page;
  let street: number;

  test("two tabs, of which only one reloads, notify each other and show each other's edits", async () => {
    const names = await desk.api<{ images: { id: number; path: string }[] }>("GET", `dataset/${dataset.id}/data`);
    street = names.images.find(({ path }) => path === "street.png")?.id ?? 0;
    backup = await makeBackup();
    await withhold(context);
    await desk.open(street);
    await drawBox(desk, 420);
    await state(page, "offline");
    second = await context.newPage();
    recordProblems(second, problems);
    const other = new Desk(second, server.url);
    await other.open(dataset.image("square.png"));
    await drawBox(other);
    await state(second, "offline");

    // The second tab gets no response from the server for now.
    await replaceData(
      [context],
      () => command("restore", backup, "--force"),
      async () => {
        await second.route("**/api/**", (route) => route.abort());
      },
    );
    await expect(page).toHaveURL(`${server.url}review`);
    await page.reload();
    await expect(page.getByRole("listitem")).toHaveCount(2);
    await expect(second).toHaveURL(`${server.url}review`);
    await expect(second.getByRole("listitem")).toHaveCount(2);
    await second.unroute("**/api/**");
    expect(await desk.annotations(dataset.image("square.png"))).toEqual([]);
  });

  test("asks for one click, then stores everything", async () => {
    await page.bringToFront();
    await page.getByRole("button", { name: "Apply all here (2)" }).click();
    await expect(page.getByRole("heading", { name: "Nothing to review" })).toBeVisible();
    await expect(second.getByRole("heading", { name: "Nothing to review" })).toBeVisible();
    expect(await desk.annotations(street)).toHaveLength(4);
    expect(await desk.annotations(dataset.image("square.png"))).toHaveLength(1);
    await second.close();
  });
});

test("a journal without an installation id is shown for review, and applied once the user chooses its installation", async () => {
  const { user } = await desk.api<{ user: object }>("GET", "user/");
  const square = dataset.image("square.png");
  const before = await desk.annotations(square);
  await page.goto(`${server.url}about`);
  await page.evaluate(makeOldJournal, { user, imageId: square, categoryId: before[0]?.category_id ?? 0 });
  await page.goto(`${server.url}datasets`);
  await expect(notice(page)).toContainText("1 change you made on another installation needs your review");
  await page.getByRole("link", { name: "Review" }).click();
  await expect(card(page, `Image number ${square}`)).toContainText(`Here, image ${square} is square.png in Town.`);
  expect(await desk.annotations(square)).toHaveLength(before.length);
  await page.getByRole("button", { name: "Apply to square.png" }).click();
  await expect(page.getByRole("heading", { name: "Nothing to review" })).toBeVisible();
  expect(await desk.annotations(square)).toHaveLength(before.length + 1);
});

/**
 * Runs in the page: recreates what the version before ids stored, as its Dexie created it (version 1 is the browser's
 * 10).
 */
async function makeOldJournal({ user, imageId, categoryId }: { user: object; imageId: number; categoryId: number }) {
  localStorage.setItem("limn.user", JSON.stringify(user));
  const id = Reflect.get(user, "id");
  const opening = indexedDB.open(`limn / ${id}`, 10);
  opening.onupgradeneeded = () => {
    const edits = opening.result.createObjectStore("edits", { keyPath: "seq", autoIncrement: true });
    edits.createIndex("uuid", "uuid", { unique: true });
    edits.createIndex("[state+seq]", ["state", "seq"]);
    edits.createIndex("image_id", "image_id");
    opening.result.createObjectStore("sessions", { keyPath: "uuid" });
    opening.result.createObjectStore("preferences", { keyPath: "key" });
  };
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  const ring = [10, 10, 60, 10, 60, 60, 10, 60];
  const after = { category_id: categoryId, rings: [[ring]], isbbox: true, color: "#ff0000", metadata: {} };
  const common = { uuid: crypto.randomUUID(), image_id: imageId };
  const edit = {
    ...common,
    base: 0,
    subject: "annotation",
    target: crypto.randomUUID(),
    action: "create",
    before: {},
    after,
  };
  const writing = opening.result.transaction("edits", "readwrite");
  writing.objectStore("edits").add({ ...common, client: "old-tab-1", edit, saw: 0, state: "queued" });
  await new Promise((resolve) => {
    writing.oncomplete = resolve;
  });
  opening.result.close();
}

test("a new data folder receives nothing that was drawn before, even if ids and names are equal", async () => {
  await desk.open(dataset.image("square.png"));
  // The page of the review may have been left before the browser had stored the server's response.
  await desk.saved();
  await withhold(context);
  await drawBox(desk, 300);
  await state(page, "offline");
  await replaceData(
    [context],
    async () => {
      for (const name of readdirSync(server.dataDir)) rmSync(`${server.dataDir}/${name}`, { recursive: true });
    },
    async () => {
      const other = await context.browser()?.newContext();
      if (!other) throw new Error("no browser");
      const script = new Desk(await other.newPage(), server.url);
      await script.register("ada");
      const fresh = await script.dataset("Elsewhere", ["kettle"], { "kitchen.png": await bandedImage(WIDTH, HEIGHT) });
      expect(fresh.image("kitchen.png")).toBe(dataset.image("square.png"));
      await other.close();
    },
  );
  await expect(page).toHaveURL(/\/auth/);
  await expect(page.getByText("1 change on this device has not been sent yet.")).toBeVisible();
  await logIn(page, "ada");
  await expect(page).toHaveURL(`${server.url}review`);
  await expect(card(page, "Town: square.png")).toContainText("No image here has this name and size");
  expect(await desk.annotations(dataset.image("square.png"))).toEqual([]);
});
