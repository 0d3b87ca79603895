import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { Desk } from "../support/annotatorDesk";
import { holdBack } from "../support/heldBack";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { chooseInSidebar } from "../support/userSteps";

/** More forms with late responses (see lateForms), on a server that starts tasks only on request. */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let shop: Awaited<ReturnType<Desk["plainDataset"]>>;

const dialog = () => page.getByRole("dialog");
const toast = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });
const KINDS = Array.from({ length: 12 }, (_, n) => `kind ${n}`);
interface Seen {
  group: string;
  state: string;
}
const exportStates = async () =>
  (await desk.api<Seen[]>("GET", "tasks/")).filter(({ group }) => group.includes("Export")).map(({ state }) => state);

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer({ TASK_CONCURRENCY: "0" });
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  desk = new Desk(page, server.url);
  await desk.register("ada");
  shop = await desk.plainDataset("Shop", ["apple"], ["a", "b"], 80, 60);
  for (const name of KINDS) await desk.api("POST", "category/", { name });
});
test.afterEach(() => page.unrouteAll({ behavior: "ignoreErrors" }));
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("Save is clickable after a name was added, and the list of names does not cover it", async () => {
  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Menu of Shop" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const field = dialog().getByRole("combobox", { name: "Default Categories" });
  await field.click();
  await expect(page.getByRole("option")).not.toHaveCount(0);
  await field.fill("new kind");
  await field.press("Enter");
  await expect(page.getByRole("option")).toHaveCount(0);
  await dialog().getByRole("button", { name: "Save" }).click();
  await expect(dialog()).toHaveCount(0);
  const { categories } = await desk.api<{ categories: { name: string }[] }>("GET", `dataset/${shop.id}/data`);
  expect(categories.map(({ name }) => name)).toEqual(["apple", "new kind"]);
});

async function startExport() {
  const start = await holdBack(page, { path: /^dataset\/\d+\/export$/ });
  await chooseInSidebar(page, "Export COCO");
  await dialog().getByRole("button", { name: "Export", exact: true }).click();
  await start.arrived;
  return start;
}

test("an export that is cancelled while its request is in flight is stopped", async () => {
  await page.goto(`${server.url}dataset/${shop.id}`);
  const start = await startExport();
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await expect(dialog()).toHaveCount(0);
  await start.release();
  await expect(toast("The export is being cancelled.")).toBeVisible();
  expect(await exportStates()).toEqual(["cancelled"]);
});

test("an export whose page was left continues", async () => {
  const start = await startExport();
  await page.evaluate(() => history.back());
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  await start.release();
  await page.waitForTimeout(500);
  expect((await exportStates()).toSorted()).toEqual(["cancelled", "queued"]);
});

test("an export that finished before it could be cancelled is reported as finished", async () => {
  await server.kill();
  await server.start({ env: { TASK_CONCURRENCY: "2" } });
  await page.goto(`${server.url}dataset/${shop.id}`);
  await expect.poll(async () => (await exportStates()).toSorted()).toEqual(["cancelled", "done"]);
  const start = await startExport();
  await expect.poll(async () => (await exportStates()).toSorted()).toEqual(["cancelled", "done", "done"]);
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await start.release();
  await expect(
    toast("The export finished before it could be cancelled. Its file is on the Exports tab."),
  ).toBeVisible();
});
