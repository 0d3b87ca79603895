import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Desk, openDesk } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";
import { chooseTool } from "../support/userSteps";

/**
 * A user who labels skeletons: places, moves, connects and deletes keypoints, defines labels, and finds all of it after
 * a reload.
 */
test.describe.configure({ mode: "serial" });

const WIDTH = 800;
const HEIGHT = 600;

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let dataset: Awaited<ReturnType<Desk["plainDataset"]>>;
let at: (x: number, y: number) => { x: number; y: number };
let category: number;
const problems: string[] = [];

const key = (keys: string) => page.keyboard.press(keys);
const image = () => dataset.image("pose");
const line = (name: string) => page.getByRole("treeitem", { name: new RegExp(`^${name}:`) });
const lines = () => page.locator('[data-kind="keypoint"]').evaluateAll((all) => all.map((each) => each.ariaLabel));

async function open(): Promise<void> {
  await desk.open(image());
  ({ at } = await desk.fit(WIDTH, HEIGHT));
}

async function click(x: number, y: number, modifiers: "Shift"[] = []): Promise<void> {
  await page.mouse.move(at(x, y).x, at(x, y).y, { steps: 2 });
  for (const modifier of modifiers) await page.keyboard.down(modifier);
  await page.mouse.click(at(x, y).x, at(x, y).y);
  for (const modifier of modifiers) await page.keyboard.up(modifier);
  // Two clicks at one place would be a double click.
  await page.mouse.move(at(x, y).x + 30, at(x, y).y + 30);
}

const drag = (...points: [number, number][]) => desk.drag(points.map(([x, y]) => at(x, y)));

/** Returns the stored keypoints in whole numbers: label number, x, y, visibility. */
async function stored(index = 0): Promise<number[][]> {
  await desk.saved();
  const annotation = (await desk.annotations(image()))[index];
  const scene = await desk.scene(image());
  const ids = scene.categories.find(({ id }) => id === annotation?.category_id)?.keypoint_label_ids ?? [];
  return (annotation?.keypoints ?? [])
    .map(({ label, x, y, v }) => [ids.indexOf(label) + 1, Math.round(x), Math.round(y), v])
    .sort(([a = 0], [b = 0]) => a - b);
}

async function edges(): Promise<[number, number][]> {
  await desk.saved();
  return (await desk.scene(image())).categories.find(({ id }) => id === category)?.keypoint_edges ?? [];
}

test.beforeAll(async ({ browser }) => {
  const options = { viewport: { width: 1440, height: 900 }, serviceWorkers: "block" } as const;
  ({ server, context, page, desk } = await openDesk(browser, options, problems));
  ({ id: category } = await desk.api<{ id: number }>("POST", "category/", {
    name: "bird",
    keypoint_labels: ["beak", "eye", "wing", "tail"],
    keypoint_edges: [[1, 2]],
  }));
  dataset = await desk.plainDataset("birds", ["bird"], ["pose"], WIDTH, HEIGHT);
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
  expect(problems).toEqual([]);
});

test("clicks place all labels in turn, then Select becomes active", async () => {
  await open();
  await key("k");
  await expect(page.getByText("Next: beak")).toBeVisible();
  expect(await lines()).toEqual([
    "beak: 0 (NOT LABELED), next",
    "eye: 0 (NOT LABELED)",
    "wing: 0 (NOT LABELED)",
    "tail: 0 (NOT LABELED)",
  ]);
  await click(200, 150);
  await click(260, 140, ["Shift"]);
  await click(320, 260);
  await expect(page.getByText("3 of 4")).toBeVisible();
  await click(450, 400);
  await expect(page.getByText("All keypoints placed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Select Tool" })).toHaveAttribute("aria-pressed", "true");
  expect(await lines()).toEqual([
    "beak: 2 (LABELED VISIBLE)",
    "eye: 1 (LABELED NOT VISIBLE)",
    "wing: 2 (LABELED VISIBLE)",
    "tail: 2 (LABELED VISIBLE)",
  ]);
  expect(await stored()).toEqual([
    [1, 200, 150, 2],
    [2, 260, 140, 1],
    [3, 320, 260, 2],
    [4, 450, 400, 2],
  ]);
});

test("dragging moves a keypoint, hovering names it, Backspace deletes it, and a click on its row places it again", async () => {
  await drag([320, 260], [340, 300], [360, 320]);
  await page.mouse.move(at(360, 320).x, at(360, 320).y);
  await expect(page.getByText("Keypoint: wing")).toBeVisible();
  expect((await stored())[2]).toEqual([3, 360, 320, 2]);
  await line("tail").click();
  await expect(line("tail")).toHaveAttribute("aria-selected", "true");
  await key("Backspace");
  expect(await stored()).toHaveLength(3);
  await line("tail").click();
  await expect(page.getByText("Next: tail")).toBeVisible();
  await click(500, 420);
  expect((await stored())[3]).toEqual([4, 500, 420, 2]);
});

test("visibility is chosen in the list, or in the settings that a double click opens", async () => {
  await page.getByRole("button", { name: "Visibility of beak" }).click();
  await page.getByRole("menuitem", { name: "Unknown" }).click();
  await expect(line("beak")).toHaveAccessibleName("beak: 3 (UNKNOWN)");
  await page.mouse.dblclick(at(260, 140).x, at(260, 140).y);
  const settings = page.getByRole("dialog", { name: "Keypoint eye" });
  await settings.getByRole("radio", { name: "Labeled, visible", exact: false }).last().click();
  await settings.getByRole("button", { name: "Done" }).click();
  expect((await stored()).map(([, , , v]) => v)).toEqual([3, 2, 2, 2]);
  await key("Escape");
});

test("clicking two keypoints connects them, clicking again disconnects them; undo and redo cover all steps", async () => {
  await click(360, 320);
  await click(500, 420);
  expect(await edges()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await click(200, 150);
  await click(260, 140);
  expect(await edges()).toEqual([[3, 4]]);
  const after = await stored();
  const undo = page.getByRole("button", { name: /^(Undo|Nothing to undo)/ });
  for (let steps = 0; steps < 30 && (await undo.getAttribute("aria-disabled")) !== "true"; steps++)
    await key("Control+z");
  await desk.saved();
  expect(await desk.annotations(image())).toHaveLength(0);
  expect(await edges()).toEqual([[1, 2]]);
  const redo = page.getByRole("button", { name: /^(Redo|Nothing to redo)/ });
  for (let steps = 0; steps < 30 && (await redo.getAttribute("aria-disabled")) !== "true"; steps++)
    await key("Control+y");
  expect(await stored()).toEqual(after);
  expect(await edges()).toEqual([[3, 4]]);
});

test("the template places all missing keypoints at once", async () => {
  await key("Escape");
  await key("Escape");
  await key("Shift+K");
  await expect(page.locator('[data-kind="keypoint"]').filter({ hasText: "2" })).toHaveCount(4);
  expect(await stored(1)).toHaveLength(4);
  await key("Control+z");
  expect(await stored(1)).toHaveLength(0);
  await key("Control+z");
  await desk.saved();
  expect(await desk.annotations(image())).toHaveLength(1);
});

test("defines labels in the category's settings, asks before removing one with points, and undo restores it", async () => {
  await page.locator('[data-kind="category"]').hover();
  await page.getByRole("button", { name: "Edit bird" }).click();
  const dialog = page.getByRole("dialog");
  const label = (number: number) => dialog.getByLabel(`Label of keypoint ${number}`);
  await label(2).fill("beak");
  await expect(dialog.getByText("Duplicate keypoint label")).toHaveCount(2);
  await expect(dialog.getByRole("button", { name: "Update" })).toBeDisabled();
  await label(2).fill("left eye");
  await label(3).fill("");
  await expect(dialog.getByText("Label is required")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Update" })).toBeDisabled();
  await label(3).fill("wing");
  await dialog.getByRole("button", { name: "Remove keypoint tail" }).click();
  await expect(dialog.getByRole("button", { name: "Update" })).toBeEnabled();
  await dialog.getByRole("button", { name: "Add keypoint" }).click();
  await expect(label(4)).toBeFocused();
  await expect(dialog.getByText("Label is required")).toHaveCount(0);
  await label(1).click();
  await expect(dialog.getByText("Label is required")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Update" })).toBeDisabled();
  await label(4).fill("claw");
  await dialog.getByRole("button", { name: "Update" }).click();
  await expect(dialog.getByText("tail: 1 point")).toBeVisible();
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.locator('[data-kind="annotation"]').click();
  await expect(line("left eye")).toBeVisible();
  await expect(line("claw")).toHaveAccessibleName("claw: 0 (NOT LABELED), next");
  expect((await stored()).map(([number]) => number)).toEqual([0, 1, 2, 3]);
  await line("claw").click();
  await click(600, 500);
  expect((await stored()).map(([number]) => number)).toEqual([0, 1, 2, 3, 4]);
  await key("Control+z");
  await key("Control+z");
  expect((await stored()).map(([number]) => number)).toEqual([1, 2, 3, 4]);
});

test("reopening shows the same keypoints, the file contains the triples, and viewing changes nothing", async () => {
  const before = await stored();
  const document = await desk.annotations(image());
  await page.reload();
  await open();
  await click(260, 140);
  await expect(line("beak")).toHaveAccessibleName("beak: 3 (UNKNOWN)");
  await chooseTool(page, "Keypoints");
  expect(await stored()).toEqual(before);
  expect(await desk.annotations(image())).toEqual(document);
  const file = await desk.api<{ annotations: { keypoints: number[]; num_keypoints: number }[] }>(
    "GET",
    `image/${image()}/coco`,
  );
  expect(file.annotations[0]?.keypoints.map(Math.round)).toEqual(before.flatMap(([, ...triple]) => triple));
  expect(file.annotations[0]?.num_keypoints).toBe(4);
});
