import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import type { UndoEntry } from "../../shared/api/undo";
import { type Desk, openDesk } from "../support/annotatorDesk";
import { holdBack, REFUSAL, refuseCalls } from "../support/heldBack";
import type { LiveServer } from "../support/liveServer";

/**
 * The Undo page with late lists and commands: only entries that are shown are restored or deleted, as they are shown.
 */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let shop: Awaited<ReturnType<Desk["plainDataset"]>>;

const dialog = () => page.getByRole("dialog");
const toast = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const tick = (title: string) => page.getByRole("checkbox", { name: `Select ${title}` });
const names = async () => (await desk.api<UndoEntry[]>("GET", "undo/list/")).map(({ name }) => name).toSorted();
const remove = (file: string) => desk.api("DELETE", `image/${shop.image(file)}`);
const restore = (file: string) => desk.api("POST", `undo/?id=${shop.image(file)}&instance=image`);

async function chooseType(type: string) {
  await page.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: type, exact: true }).click();
}

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 800 } }, []));
  shop = await desk.plainDataset("Shop", ["apple"], ["a", "b", "c", "d"], 80, 60);
  for (const file of ["a", "b", "c"]) await remove(file);
  const { id } = await desk.api<{ id: number }>("POST", "category/", { name: "pear" });
  await desk.api("DELETE", `category/${id}`);
});
test.afterEach(() => page.unrouteAll({ behavior: "ignoreErrors" }));
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("rows of the previous type cannot be ticked or changed, and an overtaken list is ignored", async () => {
  await page.goto(`${server.url}undo`);
  await tick("image a.png").check();
  await expect(button("Delete Selected")).toBeEnabled();
  const categories = await holdBack(page, { path: /^undo\/list\/$/ });
  await chooseType("category");
  await categories.arrived;
  await expect(tick("image a.png")).toBeDisabled();
  await expect(page.getByRole("checkbox", { name: "Select all" })).toBeDisabled();
  for (const name of ["Undo Selected", "Delete Selected", "Roll back image a.png"])
    await expect(button(name)).toBeDisabled();
  await chooseType("image");
  await expect(tick("image a.png")).toBeEnabled();
  await categories.release();
  await expect(tick("category pear")).toHaveCount(0);
  // The tick belonged to the list of all types.
  await expect(tick("image a.png")).not.toBeChecked();
  await expect(button("Delete Selected")).toBeDisabled();
});

test("no other command starts during a late one, whose outcome is shown after the page was left", async () => {
  await tick("image b.png").check();
  const back = await holdBack(page, { method: "POST", path: /^undo\/$/ });
  await button("Roll back image a.png").dblclick();
  await back.arrived;
  for (const name of ["Undo Selected", "Delete Selected", "Roll back image b.png", "Delete image b.png permanently"])
    await expect(button(name)).toBeDisabled();
  await page.getByRole("link", { name: "Datasets" }).click();
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  await back.release();
  await expect(toast("Image a.png was restored.")).toHaveCount(1);
  expect(await names()).toEqual(["b.png", "c.png", "pear"]);
});

test("an entry that was restored and deleted again is neither ticked nor deleted permanently", async () => {
  await page.goto(`${server.url}undo?type=image`);
  await tick("image b.png").check();
  await button("Delete Selected").click();
  await restore("b");
  await remove("b");
  await dialog().getByRole("button", { name: "Delete permanently" }).click();
  await expect(toast("This image was restored and deleted again in the meantime.")).toBeVisible();
  await expect(dialog()).toHaveCount(0);
  await expect(tick("image b.png")).not.toBeChecked();
  expect(await names()).toEqual(["b.png", "c.png", "pear"]);
});

test("a permanent deletion in flight cannot be cancelled, and affects only the confirmed entries", async () => {
  await tick("image b.png").check();
  await tick("image c.png").check();
  await button("Delete Selected").click();
  await expect(dialog()).toContainText("2 images");
  await remove("d");
  const deletion = await holdBack(page, { method: "DELETE", path: /^undo\/$/ });
  await dialog().getByRole("button", { name: "Delete permanently" }).dblclick();
  await deletion.arrived;
  await expect(dialog().getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(dialog()).toBeVisible();
  await deletion.release();
  await expect(dialog()).toHaveCount(0);
  await expect(toast("2 images were deleted.")).toHaveCount(1);
  await expect(tick("image d.png")).not.toBeChecked();
  expect(await names()).toEqual(["d.png", "pear"]);
});

test("a list and a command that failed can be tried again", async () => {
  const mend = await refuseCalls(page, { method: "POST", path: /^undo\/$/ });
  await tick("image d.png").check();
  await button("Undo Selected").click();
  await expect(toast(REFUSAL)).toBeVisible();
  await expect(tick("image d.png")).toBeChecked();
  mend();
  const mendList = await refuseCalls(page, { path: /^undo\/list\/$/ });
  await chooseType("category");
  await expect(button("Try again")).toBeVisible();
  await expect(page.getByText("Nothing to undone!")).toHaveCount(0);
  for (const name of ["Undo Selected", "Delete Selected"]) await expect(button(name)).toBeDisabled();
  mendList();
  await button("Try again").click();
  await expect(tick("category pear")).toBeVisible();
  await chooseType("image");
  await button("Roll back image d.png").click();
  await expect(toast("Image d.png was restored.")).toBeVisible();
  expect(await names()).toEqual(["pear"]);
});
