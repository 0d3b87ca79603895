import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import type { AttributeDefinition } from "../../shared/entities/attribute";
import { Desk, openDesk } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";

/** Many selected annotations, their names on the image, and typed attributes, as two users change them. */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [800, 600];
const COLOR = "#00aa55";
const problems: string[] = [];

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let data: Awaited<ReturnType<Desk["plainDataset"]>>;
let at: (x: number, y: number) => { x: number; y: number };

const selected = () => page.locator('[role="treeitem"][aria-level="2"][aria-selected="true"]');
const rowOf = (number: number, on = page) => on.getByRole("treeitem", { level: 2 }).nth(number - 1);
const selectionBar = () => page.getByRole("region", { name: "Selected annotations" });
const message = () => page.locator('[role="status"][data-shown]');
const state = async (name: string) => (await desk.annotations(data.image(name))).sort((a, b) => a.id! - b.id!);
const clickRow = (row: Locator, ...modifiers: ("Shift" | "Control")[]) =>
  row.click({ modifiers, position: { x: 60, y: 8 } });

/** Opens an image with five boxes of cars in a row, 100 pixels apart, the first from (60, 200) on. */
async function openBoxes(name: string, on = desk) {
  await on.open(data.image(name));
  ({ at } = await on.fit(WIDTH, HEIGHT));
  const expand = on.page.getByRole("button", { name: "Expand car", exact: true });
  await expand.click();
  await expect(on.page.getByRole("treeitem", { level: 2 })).toHaveCount(5);
}

async function addBoxes(name: string) {
  const [car] = (await desk.scene(data.image(name))).categories;
  for (let i = 0; i < 5; i++)
    await desk.api("POST", "annotation/", {
      image_id: data.image(name),
      category_id: car!.id,
      isbbox: true,
      segmentation: [[0, 0, 60, 0, 60, 60, 0, 60].map((value, k) => value + (k % 2 === 0 ? 60 + 100 * i : 200))],
    });
}

test.beforeAll(async ({ browser }) => {
  const options = { viewport: { width: 1280, height: 800 }, serviceWorkers: "allow" } as const;
  ({ server, context, page, desk } = await openDesk(browser, options, problems));
  data = await desk.plainDataset("Road", ["car", "dog"], ["a", "b", "c"], WIDTH, HEIGHT);
  for (const name of ["a", "b", "c"]) await addBoxes(name);
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
  expect(problems.filter((text) => !text.includes("net::ERR"))).toEqual([]);
});

test("a click on a shape's name selects the shape, and a double click relabels it", async () => {
  await openBoxes("a");
  await page.keyboard.press("t");
  const name = at(60, 200);
  await page.mouse.click(name.x + 12, name.y - 8);
  await expect(rowOf(1)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.down("Shift");
  const third = at(260, 200);
  await page.mouse.click(third.x + 12, third.y - 8);
  await page.keyboard.up("Shift");
  await expect(selected()).toHaveCount(2);
  await page.keyboard.press("Escape");
  const second = at(160, 200);
  await page.mouse.dblclick(second.x + 12, second.y - 8);
  const picker = page.getByRole("dialog", { name: "Choose a category" });
  await expect(picker.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("dog");
  await page.keyboard.press("Enter");
  await expect(message()).toHaveText("The annotation is now in dog");
  await expect(page.getByRole("application")).toBeFocused();
  await desk.saved();
  const [car, dog] = (await desk.scene(data.image("a"))).categories.map(({ id }) => id);
  expect((await state("a")).map(({ category_id }) => category_id)).toEqual([car, dog, car, car, car]);
  await page.keyboard.press("Control+z");
  await desk.saved();
  await page.keyboard.press("t");
});

test("ranges and single rows of the list are selected together with shapes on the image", async () => {
  await openBoxes("a");
  await clickRow(rowOf(2));
  await clickRow(rowOf(4), "Shift");
  await expect(selected()).toHaveCount(3);
  await clickRow(rowOf(3), "Control");
  await expect(selected()).toHaveCount(2);
  await clickRow(rowOf(5), "Control");
  await clickRow(rowOf(4), "Control", "Shift");
  await expect(selected()).toHaveCount(3);
  await clickRow(rowOf(5), "Control");
  await expect(selected()).toHaveCount(2);
  await page.keyboard.down("Shift");
  await page.mouse.click(at(90, 230).x, at(90, 230).y);
  await page.keyboard.up("Shift");
  await expect(selectionBar()).toContainText("3 annotations selected");
  await expect(rowOf(1)).toHaveAttribute("aria-selected", "true");
});

test("colour and metadata of many are one step, which leaves locked ones as they are and is stored", async () => {
  await openBoxes("a");
  await clickRow(rowOf(2));
  await page.keyboard.press("Shift+L");
  await page.keyboard.press("Control+Shift+A");
  await clickRow(rowOf(2), "Control");
  await expect(selectionBar()).toContainText("5 annotations selected");
  const before = await desk.document(data.image("a"));
  await page.keyboard.press("F2");
  const dialog = page.getByRole("dialog", { name: "5 annotations" });
  await expect(dialog).toContainText("1 annotation is locked and does not change.");
  await dialog.getByLabel("Color").fill(COLOR);
  await dialog.getByLabel("Color").press("Tab");
  await dialog.getByRole("button", { name: "Add entry" }).click();
  await page.keyboard.type("weather");
  await page.keyboard.press("Tab");
  await page.keyboard.type("rain");
  await dialog.getByRole("button", { name: "Apply to 4" }).click();
  await expect(message()).toHaveText("4 annotations changed, 1 locked");
  await desk.saved();
  const stored = await state("a");
  expect(stored.map(({ color }) => color === COLOR)).toEqual([true, false, true, true, true]);
  expect(stored.map(({ metadata }) => metadata.weather)).toEqual(["rain", undefined, "rain", "rain", "rain"]);
  await page.keyboard.press("Control+z");
  await expect(message()).toHaveText("4 annotations: Change undone");
  await desk.saved();
  expect(await desk.document(data.image("a"))).toEqual(before);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Delete");
  await expect(message()).toHaveText("Select an annotation first");
});

test("many that are changed and deleted without the server are stored when it is back", async () => {
  await openBoxes("b");
  await context.setOffline(true);
  await clickRow(rowOf(1));
  await clickRow(rowOf(3), "Shift");
  await page.keyboard.press("Shift+Q");
  await clickRow(rowOf(4));
  await clickRow(rowOf(5), "Shift");
  await page.keyboard.press("Delete");
  await expect(message()).toHaveText("2 annotations deleted");
  await page.reload();
  await expect(page.getByRole("treeitem", { name: "car (3)" })).toBeVisible();
  await context.setOffline(false);
  await expect.poll(async () => (await state("b")).map(({ attributes }) => attributes)).toHaveLength(3);
  await expect
    .poll(async () => (await state("b")).map(({ attributes }) => attributes.occluded))
    .toEqual([true, true, true]);
});

test("two users change different attributes of one annotation, and neither loses a value or gets a conflict", async ({
  browser,
}) => {
  const parked: AttributeDefinition = {
    ...{ name: "parked", type: "flag", choices: [], required: false, default: null, key: "y" },
  };
  const attributes: AttributeDefinition[] = [parked, { ...parked, name: "plate", type: "text", key: null }];
  const [car] = (await desk.scene(data.image("c"))).categories;
  await desk.api("PUT", `category/${car!.id}`, { attributes });
  const contextOfBob = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" });
  const bob = new Desk(await contextOfBob.newPage(), server.url);
  await bob.register("bob");
  await desk.api("POST", `dataset/${data.id}/share`, { users: ["bob"] });
  await openBoxes("c");
  await openBoxes("c", bob);

  // Ada's typed text stays while Bob stores another value.
  await clickRow(rowOf(1));
  const plate = (on: Page) => on.getByRole("textbox", { name: "plate" });
  await plate(page).fill("ADA");
  await clickRow(rowOf(1, bob.page));
  await plate(bob.page).fill("BOB");
  await bob.page.keyboard.press("Enter");
  await bob.saved();
  const first = async () => (await state("c"))[0]?.attributes;
  await expect.poll(first).toMatchObject({ plate: "BOB" });
  await page.keyboard.type(" 1");
  await expect(page.getByText("Changed meanwhile: BOB")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Enter again replaces “BOB”")).toBeVisible();
  await expect(plate(page)).toHaveValue("ADA 1");
  expect(await first()).toMatchObject({ plate: "BOB" });
  await page.keyboard.press("Enter");
  await expect(page.getByText("Enter again replaces")).toHaveCount(0);
  await desk.saved();
  expect(await first()).toMatchObject({ plate: "ADA 1" });
  await expect(plate(bob.page)).toHaveValue("ADA 1");

  // Ada's flag is stored while Bob's edit is on its way.
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await bob.page.route("**/api/annotator/edits", async (route) => {
    await released;
    await route.continue();
  });
  await plate(bob.page).fill("BOB 2");
  await bob.page.keyboard.press("Enter");
  await page.keyboard.press("y");
  await expect(bob.page.getByRole("checkbox", { name: "parked" })).toBeChecked();
  await expect(plate(bob.page)).toHaveValue("BOB 2");
  release();
  await bob.saved();
  expect(await first()).toEqual({ parked: true, plate: "BOB 2" });
  await bob.page.unroute("**/api/annotator/edits");
  await bob.page.keyboard.press("Delete");
  await bob.saved();
  await expect.poll(async () => (await state("c")).length).toBe(4);
  await contextOfBob.close();
});

test("Escape in a number field of a box restores the value", async () => {
  await openBoxes("a");
  await clickRow(rowOf(1));
  const width = page.getByRole("group", { name: "Box in pixels" }).getByRole("textbox", { name: "Width" });
  await width.fill("33");
  await page.keyboard.press("Escape");
  await expect(width).toHaveValue("60");
  await width.fill("70");
  await page.keyboard.press("Enter");
  await desk.saved();
  expect((await state("a"))[0]?.bbox[2]).toBe(70);
});
