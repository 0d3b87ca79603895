import { type BrowserContext, type CDPSession, expect, type Page, test } from "@playwright/test";
import { findViolations } from "../support/accessibility";
import { Desk, openDesk, recordProblems } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";
import { toolButton } from "../support/userSteps";

/** Keys, touch and the pen in the annotator, time spent, and navigation through a list of images. */
test.describe.configure({ mode: "serial" });

const WIDTH = 800;
const HEIGHT = 600;
const FILES = [
  "keys",
  "boxes",
  "shift",
  "shapes",
  "walk",
  "touch",
  "work-1",
  "work-2",
  "queue-1",
  "queue-2",
  "queue-3",
  "queue-4",
];

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let images: Awaited<ReturnType<Desk["plainDataset"]>>;
let at: (x: number, y: number) => { x: number; y: number };
const problems: string[] = [];

const imageFile = (name: string) => images.image(name);
const key = (keys: string) => page.keyboard.press(keys);
const selected = () => page.locator('[role="treeitem"][aria-selected="true"]');
const help = () => page.getByRole("dialog", { name: "Keyboard Shortcuts" });
const isActive = (name: string) => expect(toolButton(page, name)).toHaveAttribute("aria-pressed", "true");
const imageBox = async (who = page) => (await who.locator(".annotator-image").boundingBox())!;

async function open(name: string, query = "") {
  await desk.open(imageFile(name), query);
  ({ at } = await desk.fit(WIDTH, HEIGHT));
}

async function count(name: string) {
  await desk.saved();
  return (await desk.annotations(imageFile(name))).length;
}

test.beforeAll(async ({ browser }) => {
  const options = { viewport: { width: 1280, height: 800 } };
  ({ server, context, page, desk } = await openDesk(browser, options, problems));
  images = await desk.plainDataset("Keys", ["car", "dog"], FILES, WIDTH, HEIGHT);
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("every key of the specification does what is specified", async () => {
  await open("keys");
  await key("r");
  await isActive("BBox");
  await desk.drag([at(100, 100), at(200, 200)]);
  await expect.poll(() => count("keys")).toBe(1);
  for (const [name, letter] of [
    ["Select", "s"],
    ["Polygon", "v"],
    ["Magic Wand", "w"],
    ["Brush", "b"],
    ["Eraser", "e"],
    ["Keypoints", "k"],
    ["BBox", "r"],
  ] as const) {
    await key(letter);
    await isActive(name);
  }

  await key("b");
  const radius = page.getByRole("textbox", { name: "Radius" });
  const before = Number(await radius.inputValue());
  await key("]");
  await expect(radius).toHaveValue(String(before + 2));
  await key("[");
  await expect(radius).toHaveValue(String(before));

  await key("r");
  await page.mouse.click(at(400, 400).x, at(400, 400).y);
  await page.mouse.move(at(480, 470).x, at(480, 470).y);
  await expect(page.getByText("80 × 70")).toBeVisible();
  await key("Escape");
  await expect(page.getByText("80 × 70")).toBeHidden();

  // An empty annotation is in the list, but not stored.
  const listed = page.getByRole("treeitem", { level: 2 });
  await key("Space");
  await expect(selected()).toContainText("Empty");
  await expect(listed).toHaveCount(2);
  await key("ArrowUp");
  await expect(selected()).not.toContainText("Empty");
  // Nothing was drawn into the annotation.
  await expect(listed).toHaveCount(1);
  await key("Space");
  await expect(selected()).toContainText("Empty");
  await expect(listed).toHaveCount(2);
  await key("Backspace");
  await expect(listed).toHaveCount(1);
  await key("Control+z");
  await expect(listed).toHaveCount(2);
  await key("Control+Shift+z");
  await expect(listed).toHaveCount(1);
  expect(await count("keys")).toBe(1);
  await key("ArrowLeft");
  await expect(selected()).toHaveAttribute("aria-level", "1");
  await key("ArrowLeft");
  await expect(selected()).toHaveAttribute("aria-expanded", "false");
  await key("ArrowRight");
  await expect(selected()).toHaveAttribute("aria-level", "2");

  const fitted = await imageBox();
  await page.mouse.wheel(0, -300);
  await expect.poll(async () => (await imageBox()).width).toBeGreaterThan(fitted.width * 1.5);
  await key("c");
  await expect.poll(async () => Math.round((await imageBox()).width)).toBe(Math.round(fitted.width));
  await key("Control+s");
  await desk.saved();
});

test("digits choose categories, and a full stop repeats the last one", async () => {
  await key("2");
  await expect(page.getByRole("status").getByText("The annotation is now in dog")).toBeVisible();
  await expect(selected()).toHaveAttribute("aria-level", "2");
  await expect.poll(async () => (await desk.annotations(imageFile("keys")))[0]?.category_id).toBe(2);
  await key("Control+z");
  await expect.poll(async () => (await desk.annotations(imageFile("keys")))[0]?.category_id).toBe(1);
  await key("Escape");
  await key("Escape");
  await key("2");
  await expect(page.getByRole("status").getByText("New annotations go to dog")).toBeVisible();
  await key("r");
  await desk.drag([at(500, 100), at(600, 200)]);
  await key("s");
  await key(".");
  await isActive("BBox");
  await expect(selected()).toContainText("Empty");
  await desk.drag([at(500, 300), at(600, 400)]);
  await expect.poll(() => count("keys")).toBe(3);
  expect((await desk.annotations(imageFile("keys"))).map(({ category_id }) => category_id).sort()).toEqual([1, 2, 2]);
});

test("a box is drawn and given a category without the pointer, by a cursor that keys move", async () => {
  const before = new Set((await desk.annotations(imageFile("keys"))).map(({ id }) => id));
  await key("Escape");
  await key("Escape");
  await key("r");
  await key("a");
  await key("Enter");
  for (let i = 0; i < 6; i++) await key("Shift+ArrowRight");
  for (let i = 0; i < 5; i++) await key("ArrowDown");
  await key("Enter");
  await expect.poll(() => count("keys")).toBe(4);
  await key("1");
  const drawn = async () => (await desk.annotations(imageFile("keys"))).find(({ id }) => !before.has(id));
  await expect.poll(drawn).toMatchObject({ bbox: [400, 300, 60, 5], category_id: 1, isbbox: true });
  await expect(page.getByRole("treeitem", { level: 1 }).first()).toHaveAccessibleName("car (2)");
  await key("a");
});

test("ten boxes are drawn, labelled, corrected and saved by keys alone, and axe finds nothing", async () => {
  await open("boxes");
  await key("r");
  await key("a");
  for (let i = 0; i < 10; i++) {
    await key("Enter");
    for (let step = 0; step < 3; step++) await key("Shift+ArrowRight");
    for (let step = 0; step < 2; step++) await key("Shift+ArrowDown");
    await key("Enter");
    await expect.poll(() => count("boxes")).toBe(i + 1);
    await key(i < 5 ? "1" : "2");
    for (let step = 0; step < 2; step++) await key("Shift+ArrowUp");
    await key("Shift+ArrowRight");
  }
  await key("a");
  await key("s");
  await key("Alt+Shift+ArrowDown");
  await key("Shift+J");
  await key("Alt+ArrowLeft");
  await desk.saved();
  const drawn = await desk.annotations(imageFile("boxes"));
  const expected = Array.from({ length: 10 }, (_, i) => ({
    bbox: [400 + 40 * i, 300, 30, 20],
    category_id: i < 5 ? 1 : 2,
  }));
  expected[8]!.bbox[0]! -= 1;
  expected[9]!.bbox[1]! += 10;
  expect(drawn).toMatchObject(expected);
  expect(await findViolations(page)).toEqual([]);
  await open("keys");
});

test("keys keep their meaning with a Russian keyboard", async () => {
  const press = (name: string, code: string) =>
    page.getByRole("application").evaluate(
      (canvas, [key, code]) => {
        for (const type of ["keydown", "keyup"])
          canvas.dispatchEvent(new KeyboardEvent(type, { key, code, bubbles: true, cancelable: true }));
      },
      [name, code] as const,
    );
  await press("м", "KeyV");
  await isActive("Polygon");
  await press("ы", "KeyS");
  await isActive("Select");
});

test("keys can be changed permanently; a conflict is named, and keys reserved by the browser are refused", async () => {
  await key("?");
  const field = (name: string) => help().getByRole("button", { name });
  await field("Polygon Tool: V, change").click();
  await key("s");
  await expect(help().getByRole("alert")).toContainText("S belongs to “Select Tool”");
  await help().getByRole("button", { name: "Leave it there" }).click();
  await field("Polygon Tool: V, change").click();
  await key("Control+w");
  await expect(help()).toContainText("it closes the tab");
  await key("Escape");
  await expect(help()).toBeVisible();
  await expect(field("Polygon Tool: V, change")).toBeVisible();
  await key("Enter");
  await key("Shift+f");
  await expect(field("Polygon Tool: Shift+F, change")).toBeFocused();
  await field("Eraser Tool: E, change").click();
  await key("b");
  await help().getByRole("button", { name: "Use it here" }).click();
  await expect(help().getByRole("button", { name: /^Brush Tool: / })).toHaveCount(0);
  await key("Escape");
  await expect(help()).toBeHidden();

  await key("v");
  await isActive("Select");
  await key("Shift+f");
  await isActive("Polygon");
  await expect(toolButton(page, "Polygon")).toHaveAttribute("aria-keyshortcuts", "Shift+F");
  // The next image opens at once, saved or not.
  await key("n");
  await expect(page.getByLabel("Image queue-1.png")).toBeVisible();
  await key("Shift+f");
  await isActive("Polygon");
  await key("Escape");
  await desk.saved();
  await expect
    .poll(async () => (await desk.scene(imageFile("keys"))).preferences)
    .toMatchObject({
      "shortcuts/tool Polygon": [["shift", "f"]],
      "shortcuts/tool Eraser": [["b"]],
      "shortcuts/tool Brush": [],
    });
  await page.reload();
  await expect(page.getByRole("application")).toBeVisible();
  await key("b");
  await isActive("Eraser");
  await key("Escape");
  await isActive("Select");

  await key("?");
  await help().getByLabel("Search commands and keys").fill("polygon tool");
  await help().getByRole("button", { name: "Reset the keys of Polygon Tool" }).click();
  await expect(field("Polygon Tool: V, change")).toBeVisible();
  await help()
    .getByRole("button", { name: /^Reset all keys/ })
    .click();
  await help().getByLabel("Search commands and keys").fill("brush tool");
  await expect(field("Brush Tool: B, change")).toBeVisible();
  await key("Escape");
});

test('"next without annotations" follows the list and shows a message at its end', async () => {
  await open("queue-2");
  await key("r");
  await desk.drag([at(100, 100), at(200, 200)]);
  await desk.saved();
  await open("queue-1", "?file_name__icontains=queue");
  await key("Shift+n");
  await expect(page.getByLabel("Image queue-3.png")).toBeVisible();
  await page.getByRole("button", { name: "Next Image without Annotations" }).click();
  await expect(page.getByLabel("Image queue-4.png")).toBeVisible();
  await expect(page.getByRole("button", { name: "Next Image without Annotations" })).toBeDisabled();
  await key("Shift+n");
  await expect(page.getByRole("status").getByText("All later images in the list are annotated")).toBeVisible();
  await key("n");
  await expect(page.getByRole("status").getByText("This is the last image of the list")).toBeVisible();
});

test("pressing N rapidly loses nothing: the last shape drawn is still there on returning", async () => {
  await open("queue-1", "?file_name__icontains=queue");
  await key("b");
  await desk.drag([at(200, 200), at(600, 300), at(300, 500)], 30);
  for (let i = 0; i < 8; i++) await key("n");
  const shown = page.getByLabel(/^Image queue-/);
  await expect(page.getByLabel("Image queue-1.png")).toHaveCount(0);
  // A key pressed while an image is loading does nothing.
  for (let i = 0; i < 4; i++) {
    await expect(shown).toBeVisible();
    const name = (await shown.getAttribute("aria-label")) ?? "";
    if (name === "Image queue-1.png") break;
    await key("p");
    await expect(page.getByLabel(name)).toHaveCount(0);
  }
  await expect(page.getByLabel("Image queue-1.png")).toBeVisible();
  await expect(page.getByText("car (1)").or(page.getByText("dog (1)"))).toBeVisible();
  await expect.poll(() => desk.rings(imageFile("queue-1"))).not.toEqual([]);
});

test("time spent on each annotation and on the image reaches the server, also when the page closes", async () => {
  const times = async (name: string) => {
    const { image, categories } = await desk.scene(imageFile(name));
    const [annotation] = categories.flatMap(({ annotations }) => annotations);
    const { milliseconds = 0 } = annotation?.id
      ? await desk.api<{ milliseconds: number }>("GET", `annotation/${annotation.id}`)
      : {};
    return { annotation: milliseconds, image: image.milliseconds };
  };
  await open("work-1");
  await key("r");
  await desk.drag([at(100, 100), at(300, 300)], 40);
  await page.mouse.move(at(400, 400).x, at(400, 400).y, { steps: 20 });
  await page.waitForTimeout(500);
  await key("n");
  await expect(page.getByLabel("Image work-2.png")).toBeVisible();
  await expect.poll(async () => (await times("work-1")).annotation).toBeGreaterThan(400);
  const first = await times("work-1");
  expect(first.image).toBeGreaterThanOrEqual(first.annotation);

  // A reload loses nothing: what was recorded on the way out is sent by the next page.
  await page.mouse.move(at(300, 400).x, at(300, 400).y, { steps: 20 });
  await page.waitForTimeout(600);
  await page.reload();
  await expect(page.getByRole("application")).toBeVisible();
  await expect.poll(async () => (await times("work-2")).image).toBeGreaterThan(500);
  const second = await times("work-2");

  // Closing a tab loses nothing either.
  const tab = await context.newPage();
  recordProblems(tab, problems);
  await new Desk(tab, server.url).open(imageFile("work-2"));
  await tab.waitForTimeout(600);
  await tab.close({ runBeforeUnload: true });
  await page.bringToFront();
  await page.reload();
  await expect.poll(async () => (await times("work-2")).image).toBeGreaterThan(second.image + 500);
});

test.describe("touch and pen", () => {
  let touch: BrowserContext;
  let cdp: CDPSession;
  let pad: Page;
  let padDesk: Desk;
  let on: typeof at;

  const fingers = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
  const pen = (type: "mousePressed" | "mouseMoved" | "mouseReleased", { x, y }: { x: number; y: number }) =>
    cdp.send("Input.dispatchMouseEvent", {
      type,
      x,
      y,
      pointerType: "pen",
      button: "left",
      buttons: type === "mouseReleased" ? 0 : 1,
      clickCount: type === "mouseMoved" ? 0 : 1,
    });
  const boxes = async () => {
    await padDesk.saved();
    return (await padDesk.annotations(imageFile("touch"))).map(({ rings }) => rings?.[0]?.[0]?.map(Math.round));
  };
  const box = (x: number, y: number, right: number, bottom: number) => [x, y, right, y, right, bottom, x, bottom];

  test.beforeAll(async ({ browser }) => {
    touch = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true });
    pad = await touch.newPage();
    recordProblems(pad, problems);
    cdp = await touch.newCDPSession(pad);
    padDesk = new Desk(pad, server.url);
    await padDesk.api("POST", "user/login", { username: "ada", password: "correct horse" });
    await padDesk.open(imageFile("touch"));
    ({ at: on } = await padDesk.fit(WIDTH, HEIGHT));
  });
  test.afterAll(() => touch.close());

  test("every button beside the image is large enough to touch", async () => {
    const buttons = pad.locator("nav[aria-label=Tools] button, aside button, [class*=stage] button");
    const sizes = await buttons.evaluateAll((all) =>
      all.map((each) => {
        const { width, height } = each.getBoundingClientRect();
        return { name: each.getAttribute("aria-label") ?? each.textContent, width, height };
      }),
    );
    expect(sizes.length).toBeGreaterThan(20);
    const small = sizes.filter(({ width, height }) => width > 0 && (width < 40 || height < 40));
    expect(small).toEqual([]);
  });

  test("the buttons for Shift and Cut cover no other button on narrow screens", async () => {
    for (const width of [320, 480, 640, 768, 901]) {
      await pad.setViewportSize({ width, height: 900 });
      const boxOf = async (name: string) => (await pad.getByRole("button", { name, exact: true }).boundingBox())!;
      const [cut, zoomOut] = [await boxOf("Cut"), await boxOf("Zoom Out")];
      expect(cut.y + cut.height <= zoomOut.y || cut.x + cut.width <= zoomOut.x, `${width} px`).toBe(true);
    }
    await pad.setViewportSize({ width: 1024, height: 768 });
    ({ at: on } = await padDesk.fit(WIDTH, HEIGHT));
  });

  test("one finger draws, two fingers move and zoom with any tool, and the page does not scroll", async () => {
    await toolButton(pad, "BBox").tap({ force: true });
    await fingers("touchStart", [on(100, 100)]);
    await fingers("touchMove", [on(200, 180)]);
    await fingers("touchMove", [on(300, 250)]);
    await fingers("touchEnd", []);
    await expect.poll(boxes).toEqual([box(100, 100, 300, 250)]);

    const before = await imageBox(pad);
    const middle = { x: before.x + before.width / 2, y: before.y + before.height / 2 };
    const pair = (apart: number, dy = 0) => [
      { x: middle.x - apart, y: middle.y + dy },
      { x: middle.x + apart, y: middle.y + dy },
    ];
    await fingers("touchStart", pair(50).slice(0, 1));
    await fingers("touchStart", pair(50));
    for (const apart of [60, 75]) await fingers("touchMove", pair(apart));
    await fingers("touchMove", pair(75, 40));
    await fingers("touchEnd", []);
    await expect.poll(async () => (await imageBox(pad)).width / before.width).toBeCloseTo(1.5, 1);
    const after = await imageBox(pad);
    expect(after.y + after.height / 2 - middle.y).toBeCloseTo(40, 0);
    expect(await pad.evaluate(() => [visualViewport?.scale, scrollX, scrollY])).toEqual([1, 0, 0]);
    expect(await boxes()).toEqual([box(100, 100, 300, 250)]);
    ({ at: on } = await padDesk.fit(WIDTH, HEIGHT));
  });

  test("a long press does not open the browser's context menu", async () => {
    await pad.evaluate(() => {
      window.addEventListener("contextmenu", (event) => {
        document.body.dataset.menu = event.defaultPrevented ? "prevented" : "open";
      });
    });
    await toolButton(pad, "Select").tap();
    await fingers("touchStart", [on(600, 500)]);
    await pad.waitForTimeout(900);
    await fingers("touchEnd", []);
    expect(await pad.evaluate(() => document.body.dataset.menu ?? "none")).not.toBe("open");
  });

  test("Shift is available as a button on the screen", async () => {
    await toolButton(pad, "Polygon").tap({ force: true });
    for (const [x, y] of [
      [400, 100],
      [600, 100],
      [600, 300],
      [400, 300],
    ] as const)
      await pad.touchscreen.tap(on(x, y).x, on(x, y).y);
    await pad.touchscreen.tap(on(401, 101).x, on(401, 101).y);
    await expect.poll(async () => (await boxes()).length).toBe(2);
    await toolButton(pad, "Select").tap();
    await pad.getByRole("button", { name: "Shift" }).tap();
    await pad.touchscreen.tap(on(600, 100).x, on(600, 100).y);
    await expect.poll(async () => (await boxes())[1]).toHaveLength(6);
    await pad.getByRole("button", { name: "Shift" }).tap();
    await expect(pad.getByRole("button", { name: "Shift" })).toHaveAttribute("aria-pressed", "false");
  });

  test("a palm beside a pen neither draws nor disturbs it", async () => {
    await toolButton(pad, "BBox").tap({ force: true });
    const before = await imageBox(pad);
    await pen("mousePressed", on(100, 350));
    await pen("mouseMoved", on(150, 400));
    await fingers("touchStart", [on(300, 500)]);
    await fingers("touchStart", [on(300, 500), on(350, 520)]);
    await fingers("touchMove", [on(320, 480), on(380, 540)]);
    await pen("mouseMoved", on(250, 450));
    await pen("mouseReleased", on(250, 450));
    await fingers("touchEnd", []);
    await expect.poll(async () => (await boxes()).length).toBe(3);
    expect((await boxes())[2]).toEqual(box(100, 350, 250, 450));
    expect(await imageBox(pad)).toEqual(before);

    // Shortly after the pen was used, a finger pans the image.
    await pen("mouseMoved", on(260, 460));
    await fingers("touchStart", [on(500, 400)]);
    await fingers("touchMove", [on(560, 430)]);
    await fingers("touchEnd", []);
    await expect.poll(async () => (await imageBox(pad)).x - before.x).toBeGreaterThan(20);
    expect(await boxes()).toHaveLength(3);
  });
});

test("shapes are cut, split and merged by keys, and looking closer changes nothing", async () => {
  await open("shapes");
  const rings = () => desk.rings(imageFile("shapes"));
  await key("r");
  await desk.drag([at(100, 100), at(300, 300)]);
  await expect.poll(() => count("shapes")).toBe(1);
  await page.keyboard.down("Alt");
  await desk.drag([at(150, 150), at(200, 200)]);
  await page.keyboard.up("Alt");
  await expect.poll(async () => (await rings()).map((polygon) => polygon.length)).toEqual([2]);

  await key("i");
  await isActive("Split");
  await desk.drag([at(250, 50), at(250, 350)]);
  await expect.poll(() => count("shapes")).toBe(2);
  await key("s");
  const part = at(280, 120);
  await page.mouse.move(part.x, part.y);
  await key("m");
  await expect.poll(() => count("shapes")).toBe(1);
  await expect.poll(async () => (await rings()).map((polygon) => polygon.length)).toEqual([2]);

  const application = page.getByRole("application");
  await page.keyboard.down("h");
  await expect(application).toHaveClass(/annotator-bare/);
  await page.keyboard.up("h");
  await expect(application).not.toHaveClass(/annotator-bare/);
  await key("g");
  await page.mouse.move(part.x + 20, part.y);
  await expect(page.locator(".annotator-crosshair").first()).toBeVisible();
  await key("g");
  await expect(page.locator(".annotator-crosshair").first()).toBeHidden();

  await key("Shift+O");
  const panel = page.getByRole("form", { name: "Simplify" });
  await expect(panel.getByText(/→ \d+ points/)).toBeVisible();
  await expect(panel.getByRole("slider", { name: "Tolerance" })).toBeFocused();
  await key("ArrowRight");
  await expect(panel.getByText("1.25 px")).toBeVisible();
  await panel.getByRole("button", { name: "Cancel" }).click();
  await key("Shift+R");
  const x = page.getByRole("group", { name: "Box in pixels" }).getByLabel("X", { exact: true });
  await x.fill("40");
  await x.press("Enter");
  await expect.poll(async () => (await rings())[0]?.[0]?.[0]).toBe(40);
});

test("attributes, rotated boxes, ellipses, lines, a lasso, groups and locks work together and reach the file", async () => {
  const [car] = (await desk.scene(imageFile("walk"))).categories;
  const attribute = { required: false, default: null, key: null, choices: [] };
  await desk.api("PUT", `category/${car!.id}`, {
    attributes: [
      { ...attribute, name: "view", type: "choice", choices: ["front", "side"], required: true, key: "v" },
      { ...attribute, name: "doors", type: "number", default: 4 },
      { ...attribute, name: "plate", type: "text" },
      { ...attribute, name: "parked", type: "flag", key: "k" },
    ],
  });
  await open("walk");
  const values = async () => (await desk.annotations(imageFile("walk"))).map(({ attributes }) => attributes);
  const press = async (...points: (readonly [number, number])[]) => {
    for (const [x, y] of points) await page.mouse.click(at(x, y).x, at(x, y).y);
  };
  await key("1");
  await key("Shift+b");
  await press([100, 200], [300, 140], [320, 200]);
  await expect.poll(() => count("walk")).toBe(1);
  await key("Shift+e");
  await desk.drag([at(400, 150), at(560, 250)]);
  await expect.poll(() => count("walk")).toBe(2);
  await key("Shift+f");
  await press([120, 400], [260, 440], [400, 400]);
  await key("Enter");
  await expect.poll(() => count("walk")).toBe(3);

  await key("s");
  await press([210, 190]);
  await expect(page.getByText("Required values are missing")).toBeVisible();
  await key("Shift+u");
  await expect(page.getByRole("combobox", { name: "view", exact: true })).toBeFocused();
  await key("Escape");
  await key("v");
  await key("k");
  await page.getByLabel("plate", { exact: true }).fill("AB 123");
  await key("Enter");
  await expect(page.getByText("Required values are missing")).toBeHidden();
  const first = { view: "front", doors: 4, plate: "AB 123", parked: true };
  await expect.poll(async () => (await values())[0]).toMatchObject(first);
  const view = page
    .getByRole("region", { name: "Zoom and display" })
    .getByRole("button", { name: "View", exact: true });
  await view.click();
  await page.getByRole("combobox", { name: "Color shapes by" }).click();
  await page.getByRole("option", { name: "Attribute: view" }).click();
  await key("Escape");
  await expect(selected().locator("[class*=swatch]")).toHaveCSS("background-color", "rgb(230, 159, 0)");

  await key("Escape");
  await page.keyboard.down("Alt");
  await desk.drag([at(60, 100), at(60, 320), at(620, 320), at(620, 100), at(70, 95)]);
  await page.keyboard.up("Alt");
  await expect(selected()).toHaveCount(2);
  await key("Control+g");
  await expect(page.getByTitle("In a group")).toHaveCount(2);
  await key("Shift+l");
  await expect(page.getByText("2 annotations locked")).toBeVisible();
  await key("Delete");
  await expect.poll(() => count("walk")).toBe(3);
  const file = await desk.api<{ annotations: { attributes: object }[] }>("GET", `image/${imageFile("walk")}/coco`);
  const written = file.annotations.map(({ attributes }) => attributes);
  expect(written[0]).toMatchObject({ ...first, rotation: expect.any(Number), group_id: 1 });

  // Another dataset gets them from the file, and its shapes can be marked and rounded.
  const again = await desk.plainDataset("Keys again", ["car"], ["walk"], WIDTH, HEIGHT);
  await desk.importCoco(again.id, file);
  const imported = async () => (await desk.annotations(again.image("walk"))).map((each) => each.attributes);
  await expect.poll(imported).toEqual(written);
  await desk.open(again.image("walk"));
  ({ at } = await desk.fit(WIDTH, HEIGHT));
  await key("s");
  await press([210, 190]);
  await page.getByRole("checkbox", { name: "truncated" }).check();
  await expect.poll(async () => (await imported())[0]).toMatchObject({ ...first, truncated: true });
  const points = async () => (await desk.rings(again.image("walk")))[0]?.[0]?.length ?? 0;
  const before = await points();
  await key("Shift+O");
  const panel = page.getByRole("form", { name: "Simplify" });
  await panel.getByRole("switch", { name: "Round corners" }).click();
  await panel.getByRole("button", { name: "Apply" }).click();
  await expect.poll(points).toBeGreaterThan(before);
});

test("no page has reported an error", () => {
  expect(problems).toEqual([]);
});
