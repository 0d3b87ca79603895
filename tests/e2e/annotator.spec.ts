import { type BrowserContext, expect, type Page, type Request, test } from "@playwright/test";
import { findViolations } from "../support/accessibility";
import { bandedImage, Desk, openDesk, recordProblems } from "../support/annotatorDesk";
import { holdBack } from "../support/heldBack";
import type { LiveServer } from "../support/liveServer";
import { toolButton } from "../support/userSteps";
import { WITH_MOTION } from "../support/withMotion";

test.use(WITH_MOTION);

/** The annotator in a real browser: each tool, the view, the keyboard, undo, and two users on one image. */
test.describe.configure({ mode: "serial" });

const WIDTH = 800;
const HEIGHT = 600;
const FILES = [
  "bench",
  "copy",
  "empty",
  "five",
  "keys",
  "pair-1",
  "pair-2",
  "pair-3",
  "ring",
  "several-1",
  "several-2",
  "sketch",
  "tools",
];

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let images: Awaited<ReturnType<Desk["plainDataset"]>>;
let at: (x: number, y: number) => { x: number; y: number };
const problems: string[] = [];

const image = (name: string) => images.image(name);
const key = (keys: string) => page.keyboard.press(keys);
const selected = (who = page) => who.locator('[role="treeitem"][aria-selected="true"]');
const center = (box: { x: number; y: number; width: number; height: number }) => ({
  x: box.x + box.width / 2,
  y: box.y + box.height / 2,
});

async function open(name: string, query = "") {
  await desk.open(image(name), query);
  ({ at } = await desk.fit(WIDTH, HEIGHT));
}

async function click(...points: [number, number][]) {
  for (const [x, y] of points) {
    await page.mouse.move(at(x, y).x, at(x, y).y);
    await page.mouse.click(at(x, y).x, at(x, y).y);
    // Moves away first, because clicks at one place would be a double click.
    await page.mouse.move(at(x, y).x + 1, at(x, y).y);
  }
}

const drag = (...points: [number, number][]) => desk.drag(points.map(([x, y]) => at(x, y)));

/** Returns the polygons of an annotation in whole numbers, as stored by the server once everything is saved. */
async function rings(name: string, index = 0) {
  await desk.saved();
  return (await desk.rings(image(name), index)).map((polygon) => polygon.map((ring) => ring.map(Math.round)));
}

/**
 * Returns the polygon with the fewest points, starting at its leftmost one: the order of polygons and their first
 * points are arbitrary.
 */
async function fewestPoints(name: string) {
  const [polygon] = (await rings(name)).sort((a, b) => a.flat().length - b.flat().length);
  return polygon?.map((ring) => {
    const left = Math.min(...ring.filter((_, i) => i % 2 === 0));
    const first = ring.findIndex((value, i) => i % 2 === 0 && value === left);
    return [...ring.slice(first), ...ring.slice(0, first)];
  });
}

async function count(name: string) {
  await desk.saved();
  return (await desk.annotations(image(name))).length;
}

/** Undoes one step and redoes it, and expects the state before and the present state. */
async function expectOneStep(name: string, before: unknown) {
  await expect.poll(() => desk.document(image(name))).not.toEqual(before);
  await desk.saved();
  const after = await desk.document(image(name));
  await key("Control+z");
  await expect.poll(() => desk.document(image(name))).toEqual(before);
  await key("Control+Shift+z");
  await expect.poll(() => desk.document(image(name))).toEqual(after);
  return after;
}

test.beforeAll(async ({ browser }) => {
  const options = { viewport: { width: 1280, height: 800 }, hasTouch: true };
  ({ server, context, page, desk } = await openDesk(browser, options, problems));
  images = await desk.plainDataset("Desk", ["car", "dog"], FILES, WIDTH, HEIGHT);
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("shows a hint in a dataset without categories, and draws as soon as there is one", async () => {
  const bare = await desk.dataset("Bare", [], { "first.png": await bandedImage(WIDTH, HEIGHT) });
  await desk.open(bare.image("first.png"));
  ({ at } = await desk.fit(WIDTH, HEIGHT));
  await expect(page.getByText("No categories have been enabled for this image.")).toBeVisible();
  // Escape asks even while the suggestions are loading.
  const names = await holdBack(page, { path: /^category\/$/ });
  await key("r");
  const dialog = page.getByRole("dialog", { name: "Create category" });
  await expect(dialog).toContainText("Every annotation belongs to a category");
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("vrs n");
  await expect(dialog.getByLabel("Name")).toHaveValue("vrs n");
  await key("Escape");
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await expect(dialog).toBeHidden();
  await names.release();
  await expect(page.getByRole("application")).toBeFocused();
  await expect(toolButton(page, "Select")).toHaveAttribute("aria-pressed", "true");

  await page.getByRole("button", { name: "Create category" }).first().click();
  await dialog.getByLabel("Name").fill("cat");
  await dialog.getByRole("combobox", { name: "Tool for New Annotations" }).click();
  await page.getByRole("option", { name: "BBox", exact: true }).click();
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("application")).toBeFocused();
  await expect(toolButton(page, "BBox")).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("strong", { hasText: "New annotation of cat" })).toBeVisible();
  await drag([100, 100], [300, 250]);
  await expect.poll(() => desk.annotations(bare.image("first.png"))).toHaveLength(1);
});

test("draws boxes by two clicks or by dragging; each box is a new annotation, and Escape cancels one", async () => {
  await open("tools");
  await key("r");
  await click([100, 100], [300, 200]);
  await expect.poll(() => rings("tools")).toEqual([[[100, 100, 300, 100, 300, 200, 100, 200]]]);
  await drag([500, 300], [350, 100]);
  await expect.poll(() => count("tools")).toBe(2);
  await expect.poll(() => rings("tools", 1)).toEqual([[[350, 100, 500, 100, 500, 300, 350, 300]]]);
  await click([600, 300]);
  await key("Escape");
  await click([700, 400]);
  await page.mouse.move(at(780, 500).x, at(780, 500).y);
  await expect(page.getByText("80 × 100")).toBeVisible();
  const discard = page.getByRole("button", { name: "Delete BBox" });
  await discard.click();
  await expect(page.getByText("80 × 100")).toBeHidden();
  await expect(discard).toBeDisabled();
  await expect.poll(() => count("tools")).toBe(2);
});

test("draws lines, drags their points with Select, and undoes a line completely", async () => {
  await key("Shift+y");
  await click([100, 400], [200, 450], [300, 400]);
  await key("Enter");
  await expect.poll(() => rings("tools", 2)).toEqual([[[100, 400, 200, 450, 300, 400, 300, 400, 200, 450]]]);
  await key("s");
  await drag([200, 450], [200, 500]);
  await expect.poll(() => rings("tools", 2)).toEqual([[[100, 400, 200, 500, 300, 400, 300, 400, 200, 500]]]);
  await key("Control+z");
  await key("Control+z");
  await expect.poll(() => count("tools")).toBe(2);
});

test("draws polygons closed by Enter, by the first point or free-hand, and unites each with the selected annotation", async () => {
  await open("copy");
  await key("v");
  await expect(page.locator("strong", { hasText: "New annotation of car" })).toBeVisible();
  // Nothing is stored before the first shape.
  expect(await count("copy")).toBe(0);
  await click([100, 100], [300, 100], [300, 300]);
  await key("Enter");
  await expect.poll(() => rings("copy")).toEqual([[[100, 100, 300, 100, 300, 300]]]);
  // Undone, nothing is stored again; redone, the same annotation.
  await expectOneStep("copy", []);
  await expect(page.getByText("Adds to annotation 1 of car")).toBeVisible();

  // Closed by a click near the first point; the third point, also near it, is too early to close.
  await click([500, 100], [600, 100], [503, 101]);
  await click([600, 200], [502, 99]);
  await expect.poll(() => rings("copy")).toHaveLength(2);
  await key("Control+z");
  await expect.poll(() => rings("copy")).toHaveLength(1);

  // Free-hand: 40 positions on a circle that ends where it began.
  const circle = Array.from({ length: 41 }, (_, i): [number, number] => {
    const turn = (i / 40) * 2 * Math.PI;
    return [600 + 80 * Math.cos(turn), 400 + 80 * Math.sin(turn)];
  });
  await drag(...circle);
  await expect.poll(() => rings("copy")).toHaveLength(2);
  expect(Math.max(...(await rings("copy")).map(([ring]) => ring?.length ?? 0))).toBeGreaterThan(40);

  // Overlapping shapes are united.
  await click([250, 120], [400, 120], [400, 200], [250, 200]);
  await key("Enter");
  await desk.saved();
  await expect.poll(() => rings("copy")).toHaveLength(2);
  await expect.poll(() => count("copy")).toBe(1);
});

test("Backspace removes a point of an unfinished polygon, undo a gesture, Escape the whole polygon, and nothing is sent", async () => {
  const before = await desk.document(image("copy"));
  await click([100, 400], [200, 400], [200, 500], [120, 520]);
  await key("Backspace");
  await key("Control+z");
  await key("Enter");
  await click([210, 480], [150, 550]);
  await key("Escape");
  await key("Enter");
  await desk.saved();
  expect(await desk.document(image("copy"))).toEqual(before);
});

test("Escape in a popover closes it and leaves the unfinished outline unchanged", async () => {
  const before = await rings("copy");
  await click([100, 400], [200, 400], [200, 500]);
  await page.getByRole("button", { name: "View", exact: true }).click();
  await expect(page.getByRole("slider", { name: "Brightness" })).toBeFocused();
  await key("Escape");
  await expect(page.getByRole("slider", { name: "Brightness" })).toBeHidden();
  await expect(page.getByRole("application")).toBeFocused();
  await key("Enter");
  await expect.poll(() => rings("copy")).toHaveLength(before.length + 1);
  await key("Control+z");
  await expect.poll(() => rings("copy")).toEqual(before);
});

test("Select shows text at the pointer, selects with one click, and moves, adds and removes points and whole shapes", async () => {
  await key("Control+z");
  await desk.saved();
  await key("s");
  await key("Escape");
  await key("Escape");
  await page.mouse.move(at(270, 150).x, at(270, 150).y);
  await expect(page.locator(".annotator-note")).toContainText("Category: car");
  await expect(page.locator(".annotator-note")).toContainText("Created by ada");
  await expect(page.getByRole("application")).toHaveCSS("cursor", "pointer");
  await page.mouse.click(at(270, 150).x, at(270, 150).y);
  await expect(selected()).toHaveAttribute("aria-level", "2");
  await expect(page.getByRole("application")).toHaveCSS("cursor", "move");

  let before = await desk.document(image("copy"));
  await drag([300, 100], [340, 60]);
  before = await expectOneStep("copy", before);
  expect(await fewestPoints("copy")).toEqual([[100, 100, 340, 60, 300, 300]]);

  await drag([220, 80], [220, 20]);
  before = await expectOneStep("copy", before);
  expect(await fewestPoints("copy")).toEqual([[100, 100, 220, 20, 340, 60, 300, 300]]);

  await page.keyboard.down("Shift");
  await click([220, 20]);
  await page.keyboard.up("Shift");
  before = await expectOneStep("copy", before);
  expect(await fewestPoints("copy")).toEqual([[100, 100, 340, 60, 300, 300]]);

  await drag([260, 150], [280, 190]);
  await expectOneStep("copy", before);
  expect(await fewestPoints("copy")).toEqual([[120, 140, 360, 100, 320, 340]]);
});

test("a box resized by its corner and its side stays a box", async () => {
  await open("tools");
  await click([200, 150]);
  let before = await desk.document(image("tools"));
  await page.mouse.move(at(300, 200).x, at(300, 200).y);
  await expect(page.getByRole("application")).toHaveCSS("cursor", "nwse-resize");
  await drag([300, 200], [320, 260]);
  before = await expectOneStep("tools", before);
  await drag([100, 180], [60, 220]);
  await expectOneStep("tools", before);
  await expect.poll(() => rings("tools")).toEqual([[[60, 100, 320, 100, 320, 260, 60, 260]]]);
  expect((await desk.annotations(image("tools")))[0]?.isbbox).toBe(true);
});

test("undoing everything and redoing everything gives the same document", async () => {
  await open("empty");
  const start = await desk.document(image("empty"));
  await key("r");
  await drag([50, 50], [150, 150]);
  await drag([200, 50], [350, 150]);
  await key("Escape");
  await key("v");
  await click([100, 300], [300, 300], [200, 450]);
  await key("Enter");
  await click([150, 280], [350, 280], [350, 400]);
  await key("Enter");
  await key("s");
  await drag([200, 350], [260, 380]);
  await key("Backspace");
  await desk.saved();
  const end = await desk.document(image("empty"));
  expect(end).toHaveLength(2);
  const undo = page.getByRole("button", { name: /^Undo|^Nothing to undo/ });
  for (let i = 0; i < 10; i++) await key("Control+z");
  await expect(undo).toHaveAttribute("aria-disabled", "true");
  await desk.saved();
  expect(await desk.document(image("empty"))).toEqual(start);
  for (let i = 0; i < 10; i++) await key("Control+Shift+z");
  await desk.saved();
  expect(await desk.document(image("empty"))).toEqual(end);
});

test("a reload restores the points of an unfinished polygon, and drops an annotation without a shape", async () => {
  await open("sketch");
  await key("v");
  await click([600, 400], [700, 400], [700, 560]);
  await page.reload();
  await expect(page.getByText("Your unfinished polygon was restored")).toBeVisible();
  await key("Enter");
  await expect.poll(() => rings("sketch")).toEqual([[[600, 400, 700, 400, 700, 560]]]);
  await key("s");
  await key("Escape");
  await key("r");
  await expect(page.locator("strong", { hasText: "New annotation of car" })).toBeVisible();
  await open("sketch");
  await expect(page.getByRole("treeitem", { name: /car \(1\)/ })).toBeVisible();
});

test("selects several annotations with a box, changes them together, and pastes them on another image", async () => {
  await open("several-1");
  await key("r");
  await drag([100, 100], [200, 200]);
  await drag([300, 100], [400, 200]);
  await drag([600, 400], [700, 500]);
  await expect.poll(() => count("several-1")).toBe(3);
  await key("s");
  await drag([50, 50], [450, 250]);
  const bar = page.getByRole("region", { name: "Selected annotations" });
  await expect(bar).toContainText("2 annotations selected");
  await expect(selected()).toHaveCount(2);
  expect(await findViolations(page)).toEqual([]);
  await key("Escape");
  await page.keyboard.down("Alt");
  await drag([550, 350], [750, 350], [750, 550], [450, 550], [450, 250], [50, 250], [50, 50], [450, 50], [540, 340]);
  await page.keyboard.up("Alt");
  await expect(bar).toContainText("3 annotations selected");
  await drag([50, 50], [450, 250]);
  await expect(bar).toContainText("2 annotations selected");

  const before = await desk.document(image("several-1"));
  await drag([150, 150], [170, 180]);
  await expectOneStep("several-1", before);
  expect((await rings("several-1"))[0]?.[0]?.slice(0, 2)).toEqual([120, 130]);
  expect((await rings("several-1", 1))[0]?.[0]?.slice(0, 2)).toEqual([320, 130]);
  await key("2");
  const categories = async () => new Set((await desk.annotations(image("several-1"))).map((each) => each.category_id));
  await expect.poll(async () => (await categories()).size).toBe(2);

  // A range in the list selects rows, and no text of the page.
  const rows = page.locator('[role="treeitem"][aria-level="2"]');
  await rows.first().click();
  await rows.last().click({ modifiers: ["Shift"] });
  await expect(bar).toContainText("3 annotations selected");
  expect(await page.evaluate(() => String(getSelection()))).toBe("");
  await page.getByRole("checkbox", { name: "occluded" }).check();
  const attributes = async () => (await desk.annotations(image("several-1"))).map((each) => each.attributes);
  await expect.poll(attributes).toEqual(Array(3).fill({ occluded: true }));

  await page.getByRole("application").focus();
  await key("Control+c");
  await expect(page.getByRole("status").getByText("3 annotations copied")).toBeVisible();
  await open("several-2");
  await key("Control+v");
  await expect(bar).toContainText("3 annotations selected");
  await expect.poll(() => count("several-2")).toBe(3);
  const shapes = async (name: string) =>
    (await desk.document(image(name))).map(({ category_id, rings, isbbox, attributes }) => ({
      ...{ category_id, rings, isbbox, attributes },
    }));
  expect(await shapes("several-2")).toEqual(expect.arrayContaining(await shapes("several-1")));
});

test("draws a mask with a hole as transparent inside the hole", async () => {
  // Column by column: a square of 200 with a hole of 100 in its centre.
  const counts: number[] = [];
  let run = 0;
  let inside = false;
  for (let x = 0; x < WIDTH; x++)
    for (let y = 0; y < HEIGHT; y++) {
      const outer = x >= 200 && x < 400 && y >= 200 && y < 400;
      const hole = x >= 250 && x < 350 && y >= 250 && y < 350;
      if ((outer && !hole) === inside) run++;
      else {
        counts.push(run);
        run = 1;
        inside = !inside;
      }
    }
  counts.push(run);
  await desk.importCoco(images.id, {
    images: [{ id: 1, file_name: "ring.png", width: WIDTH, height: HEIGHT }],
    categories: [{ id: 1, name: "car" }],
    annotations: [
      {
        id: 1,
        image_id: 1,
        category_id: 1,
        iscrowd: 0,
        segmentation: { size: [HEIGHT, WIDTH], counts },
        area: 30000,
        bbox: [200, 200, 200, 200],
      },
    ],
  });
  await open("ring");
  const [solid, hole] = [at(225, 225), at(300, 300)];
  const shown = [await pixel(solid), await pixel(hole)];
  await page.getByRole("button", { name: "Hide All" }).click();
  await expect.poll(() => pixel(solid)).not.toBe(shown[0]);
  expect(await pixel(hole)).toBe(shown[1]);
  await page.getByRole("button", { name: "Show All" }).click();
  await page.mouse.click(hole.x, hole.y);
  await expect(selected()).toHaveCount(0);
  await page.mouse.click(solid.x, solid.y);
  await expect(selected()).toHaveCount(1);
});

test("the wheel zooms about the pointer, with Ctrl or Shift it moves the view, and C fits the image", async () => {
  await open("bench");
  const frame = () => page.locator(".annotator-image").boundingBox();
  const place = (box: { x: number; y: number; width: number }, to: { x: number; y: number }) => [
    (to.x - box.x) / box.width,
    (to.y - box.y) / box.width,
  ];
  const fitted = (await frame())!;
  const pointer = at(620, 130);
  await page.mouse.move(pointer.x, pointer.y);
  await page.mouse.wheel(0, -300);
  await expect.poll(async () => (await frame())!.width).toBeGreaterThan(fitted.width * 1.5);
  const zoomed = (await frame())!;
  const [before, after] = [place(fitted, pointer), place(zoomed, pointer)];
  expect(Math.abs(before[0]! - after[0]!)).toBeLessThan(0.002);
  expect(Math.abs(before[1]! - after[1]!)).toBeLessThan(0.002);

  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 50);
  await page.keyboard.up("Control");
  await expect.poll(async () => Math.round((await frame())!.y - zoomed.y)).toBe(-50);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, 40);
  await page.keyboard.up("Shift");
  await expect.poll(async () => Math.round((await frame())!.x - zoomed.x)).toBe(-40);
  expect((await frame())!.width).toBeCloseTo(zoomed.width, 1);

  await key("c");
  await expect.poll(async () => Math.round((await frame())!.width)).toBe(Math.round(fitted.width));
});

/** Returns a function that sends touches of fingers at these positions, in CSS pixels. */
async function fingers() {
  const touch = await context.newCDPSession(page);
  return (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
}

test("two fingers pinch and move, one finger draws, and a second finger cancels the first finger's drawing", async () => {
  const fitted = (await page.locator(".annotator-image").boundingBox())!;
  const send = await fingers();
  const middle = center(fitted);
  const both = (apart: number, dx = 0) => [
    { x: middle.x - apart + dx, y: middle.y },
    { x: middle.x + apart + dx, y: middle.y },
  ];
  await key("r");
  await send("touchStart", both(50).slice(0, 1));
  await send("touchStart", both(50));
  for (const apart of [60, 80, 100]) await send("touchMove", both(apart));
  await send("touchMove", both(100, 30));
  await send("touchEnd", []);
  await expect
    .poll(async () => (await page.locator(".annotator-image").boundingBox())!.width)
    .toBeCloseTo(fitted.width * 2, 0);
  const moved = center((await page.locator(".annotator-image").boundingBox())!);
  expect(moved.x - middle.x).toBeCloseTo(30, 0);
  await expect.poll(() => rings("bench")).toEqual([]);

  ({ at } = await desk.fit(WIDTH, HEIGHT));
  await send("touchStart", [at(100, 100)]);
  await send("touchMove", [at(200, 180)]);
  await send("touchMove", [at(300, 250)]);
  await send("touchEnd", []);
  await expect.poll(() => count("bench")).toBe(1);
  await expect.poll(() => rings("bench")).toEqual([[[100, 100, 300, 100, 300, 250, 100, 250]]]);

  const cut = page.getByRole("button", { name: "Cut", exact: true });
  await cut.tap();
  await expect(cut).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText("Erases from annotation")).toBeVisible();
  await send("touchStart", [at(150, 150)]);
  await send("touchMove", [at(200, 180)]);
  await send("touchMove", [at(250, 200)]);
  await send("touchEnd", []);
  await expect.poll(async () => (await rings("bench")).map((polygon) => polygon.length)).toEqual([2]);
});

test("a tap right after a quick stroke of a finger presses the button", async () => {
  const send = await fingers();
  const cut = page.getByRole("button", { name: "Cut", exact: true });
  // Chromium took about one stroke of four for a fling, so that the tap after it did nothing.
  for (const pressed of ["false", "true", "false", "true", "false", "true", "false", "true", "false"]) {
    await send("touchStart", [at(100, 400)]);
    await send("touchMove", [at(200, 440)]);
    await send("touchMove", [at(300, 480)]);
    await send("touchEnd", []);
    await cut.tap();
    await expect(cut).toHaveAttribute("aria-pressed", pressed);
  }
});

test("the keyboard alone reaches the tree, a new annotation, tools, delete and undo", async () => {
  await open("keys");
  await key("ArrowDown");
  await expect(selected()).toContainText("car");
  await key("ArrowDown");
  await expect(selected()).toContainText("dog");
  const listed = page.getByRole("treeitem", { level: 2 });
  await key("Space");
  await expect(selected()).toContainText("Empty");
  await expect(listed).toHaveCount(1);
  await key("s");
  await expect(toolButton(page, "Select")).toHaveAttribute("aria-pressed", "true");
  await key("v");
  await expect(toolButton(page, "Polygon")).toHaveAttribute("aria-pressed", "true");
  await key("r");
  await expect(toolButton(page, "BBox")).toHaveAttribute("aria-pressed", "true");
  await key("ArrowLeft");
  await expect(selected()).toContainText("dog");
  // Nothing was drawn into the annotation.
  await expect(listed).toHaveCount(0);
  await key("Space");
  await expect(selected()).toHaveAttribute("aria-level", "2");
  await expect(listed).toHaveCount(1);
  await key("Backspace");
  await expect(listed).toHaveCount(0);
  await key("Control+z");
  await expect(listed).toHaveCount(1);
  await key("Control+Shift+z");
  await expect(listed).toHaveCount(0);
  expect(await count("keys")).toBe(0);
});

test("keys work again after a switch or a field of the tool options was used", async () => {
  await key("v");
  await page.getByRole("switch", { name: "Guidance" }).click();
  await key("s");
  await expect(toolButton(page, "Select")).toHaveAttribute("aria-pressed", "true");
  await key("v");
  await page.getByRole("switch", { name: "Guidance" }).click();
  const field = page.getByLabel("Min Distance");
  await field.fill("3");
  await key("Escape");
  await expect(page.getByRole("application")).toBeFocused();
  await key("s");
  await expect(toolButton(page, "Select")).toHaveAttribute("aria-pressed", "true");
});

test("? opens the help, Escape closes it, and the canvas receives keys again", async () => {
  await key("?");
  const help = page.getByRole("dialog", { name: "Keyboard Shortcuts" });
  await expect(help).toBeVisible();
  await key("r");
  await key("Escape");
  await expect(help).toBeHidden();
  await expect(page.getByRole("application")).toBeFocused();
  await expect(toolButton(page, "Select")).toHaveAttribute("aria-pressed", "true");
});

test("previous and next follow the list from which the image was opened", async () => {
  await page.goto(`${server.url}dataset/${images.id}?file_name__icontains=pair`);
  await expect(page.getByRole("article")).toHaveCount(3);
  await page.getByRole("article", { name: "pair-1.png" }).getByRole("link").first().click();
  await expect(page.getByLabel("Image pair-1.png")).toBeVisible();
  await expect(page.getByRole("button", { name: "Previous Image" })).toBeDisabled();
  await key("n");
  await expect(page.getByLabel("Image pair-2.png")).toBeVisible();
  await key("n");
  await expect(page.getByLabel("Image pair-3.png")).toBeVisible();
  await expect(page.getByRole("button", { name: "Next Image", exact: true })).toBeDisabled();
  await key("p");
  await expect(page.getByLabel("Image pair-2.png")).toBeVisible();
});

test("returns to the dataset when an image cannot be loaded, and writes nothing", async () => {
  const writes: string[] = [];
  page.on("request", (request) => {
    // The time spent on the previous image is sent slightly later.
    const isTimeAlone = (request.postDataJSON() as { edits?: unknown[] } | null)?.edits?.length === 0;
    if (request.method() !== "GET" && !isTimeAlone) writes.push(request.url());
  });
  await page.goto(`${server.url}datasets`);
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  const silent = problems.length;
  // The pixels are requested beside the data, and may be refused later.
  const isPixels = (request: Request) => request.url().includes("/api/image/99999");
  const pixels = Promise.race([
    page.waitForEvent("requestfinished", isPixels).then(() => 1),
    page.waitForEvent("requestfailed", isPixels).then(() => 0),
  ]);
  await page.evaluate(
    (path) => {
      history.pushState({ key: "gone" }, "", path);
      dispatchEvent(new PopStateEvent("popstate", { state: { key: "gone" } }));
    },
    `${new URL(server.url).pathname}annotate/99999`,
  );
  await expect(page.getByText("Could not find requested image")).toBeVisible();
  await expect(page.getByText("Redirecting to previous page.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  expect(writes).toEqual([]);
  // The browser itself logs the 404 responses.
  const logged = 1 + (await pixels);
  await expect.poll(() => problems.length).toBe(silent + logged);
  problems.splice(silent);
});

test("stays on the page while the server is unreachable, and opens the image on retry", async () => {
  await page.goto(`${server.url}dataset/${images.id}?file_name__icontains=keys`);
  await expect(page.getByRole("article")).toHaveCount(1);
  const silent = problems.length;
  await page.route("**/api/annotator/data/**", (route) => route.abort("connectionrefused"));
  await page.getByRole("article", { name: "keys.png" }).getByRole("link").first().click();
  await expect(page.getByText("The server cannot be reached.")).toBeVisible();
  expect(page.url()).toContain(`/annotate/${image("keys")}`);
  await page.unroute("**/api/annotator/data/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByLabel("Image keys.png")).toBeVisible();
  problems.splice(silent);
});

test.describe("two users on one image", () => {
  let other: BrowserContext;
  let otherPage: Page;

  test.beforeAll(async ({ browser }) => {
    other = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    otherPage = await other.newPage();
    recordProblems(otherPage, problems);
    const guest = new Desk(otherPage, server.url);
    await guest.register("bob");
    await desk.api("POST", `dataset/${images.id}/share`, { users: ["bob"] });
    await page.routeWebSocket(/socket\.io/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => server.send(message));
      server.onMessage((message) => {
        if (!isDeaf) socket.send(message);
      });
    });
    await open("five");
    await key("r");
    await drag([100, 100], [300, 250]);
    await desk.saved();
    await guest.open(image("five"));
  });
  test.afterAll(() => other.close());

  /** True while Ada's page receives no live events. */
  let isDeaf = false;

  /** Drags the lower right corner of the box. */
  async function pull(who: Page, from: [number, number], to: [number, number]) {
    const other = new Desk(who, server.url);
    const { at: place } = await other.fit(WIDTH, HEIGHT);
    await who.keyboard.press("s");
    if ((await selected(who).and(who.locator('[aria-level="2"]')).count()) === 0)
      await who.mouse.click(place(150, 150).x, place(150, 150).y);
    await other.drag([place(...from), place(...to)]);
  }

  test("receive each other's edits without a reload", async () => {
    await pull(otherPage, [300, 250], [320, 300]);
    await new Desk(otherPage, server.url).saved();
    await key("s");
    await expect(async () => {
      await page.mouse.move(at(250, 200).x, at(250, 200).y);
      await page.mouse.move(at(310, 290).x, at(310, 290).y);
      await expect(page.locator(".annotator-note")).toBeVisible({ timeout: 1000 });
    }).toPass();
  });

  for (const { choice, theirs, edges } of [
    { choice: "Keep mine", theirs: 340, edges: [400] },
    { choice: "Keep theirs", theirs: 340, edges: [340] },
    { choice: "Keep both", theirs: 360, edges: [360, 400] },
  ])
    test(`see a conflict, and the choice "${choice.toLowerCase()}" is stored`, async () => {
      const corner = (await rings("five"))[0]![0]!.slice(4, 6) as [number, number];
      // Both change the same shape from the same state: Bob first, then Ada, who has not seen it.
      isDeaf = true;
      await pull(otherPage, corner, [theirs, 350]);
      await new Desk(otherPage, server.url).saved();
      await pull(page, corner, [400, corner[1] + 30]);
      await expect(page.locator('[data-save-state="conflict"]')).toBeVisible();
      isDeaf = false;
      await page.getByRole("button", { name: /^Conflict/ }).click();
      const dialog = page.getByRole("dialog", { name: "Conflicts" });
      await expect(dialog).toContainText("bob changed the outline");
      await expect(dialog.getByRole("img", { name: /^Your version/ }).locator("path")).toHaveCount(3);
      if (choice === "Keep both") {
        await dialog.getByRole("link", { name: "All conflicts by dataset" }).click();
        await expect(page.getByRole("option", { name: /five\.png/ })).toBeVisible();
        await page.getByRole("listbox", { name: "Annotations in conflict" }).press("b");
        await expect(page.getByText("No conflicts")).toBeVisible();
        await page.goBack();
      } else await dialog.getByRole("button", { name: choice }).click();
      await expect(dialog).toBeHidden();
      await desk.saved();
      for (const [index, edge] of edges.entries()) expect((await rings("five", index))[0]![0]![4]).toBe(edge);
      await otherPage.evaluate(() => dispatchEvent(new Event("focus")));
      await page.mouse.move(at(250, 200).x, at(250, 200).y);
      await expect(page.locator(".annotator-note")).toBeVisible();
      await otherPage.reload();
      await expect(otherPage.getByRole("application")).toBeVisible();
    });
});

test("hovering and selecting find the right shape among five thousand, and the dark colour scheme is dark", async () => {
  const annotations = Array.from({ length: 5000 }, (_, i) => {
    const [x, y] = [(i % 100) * 8, Math.floor(i / 100) * 12];
    const points = Array.from({ length: 20 }, (_, k) => [
      x + 3.5 + 3 * Math.cos((k / 20) * 2 * Math.PI),
      y + 5.5 + 5 * Math.sin((k / 20) * 2 * Math.PI),
    ]);
    return { id: i + 1, image_id: 1, category_id: 1, iscrowd: 0, segmentation: [points.flat()] };
  });
  await desk.importCoco(images.id, {
    images: [{ id: 1, file_name: "pair-3.png", width: WIDTH, height: HEIGHT }],
    categories: [{ id: 1, name: "dog" }],
    annotations,
  });
  await page.emulateMedia({ colorScheme: "dark" });
  await open("pair-3");
  await key("s");
  const target = await desk.annotations(image("pair-3"));
  await click([8 * 42 + 3.5, 12 * 20 + 5.5]);
  await expect(selected()).toContainText(`(id: ${target[2042]?.id})`);
  await page.mouse.wheel(0, -400);
  await drag([10, 590], [60, 560]);
  await key("c");
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(Math.max(...(ground.match(/\d+/g) ?? []).slice(0, 3).map(Number))).toBeLessThan(80);
});

test("no page has reported an error", () => {
  // A conflict has status 409, which the browser logs by itself.
  expect(problems.filter((each) => !each.includes("409"))).toEqual([]);
});

/** Returns the pixel of the page at a point, as text. */
async function pixel({ x, y }: { x: number; y: number }): Promise<string> {
  return (await page.screenshot({ clip: { x: Math.round(x), y: Math.round(y), width: 1, height: 1 } })).toString(
    "base64",
  );
}
