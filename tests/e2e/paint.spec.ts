import { type BrowserContext, type CDPSession, expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import type { Rings } from "../../shared/entities/shape";
import { ringsContain } from "../../shared/geometry/polygons";
import { type Desk, openDesk } from "../support/annotatorDesk";
import type { LiveServer } from "../support/liveServer";
import { toolButton } from "../support/userSteps";

/** Painting in a real browser: brush, eraser and magic wand, by mouse, keys and touch. */
test.describe.configure({ mode: "serial" });

const WIDTH = 800;
const HEIGHT = 600;

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let fingers: CDPSession;
let images: Awaited<ReturnType<Desk["dataset"]>>;
let at: (x: number, y: number) => { x: number; y: number };
const problems: string[] = [];

const IMAGES = ["brush", "eraser", "keys", "wand", "touch", "all"];
const image = (name: string) => images.image(`${name}.png`);
const key = (keys: string) => page.keyboard.press(keys);
const drag = (...points: [number, number][]) =>
  desk.drag(
    points.map(([x, y]) => at(x, y)),
    1,
  );
const click = (x: number, y: number) => drag([x, y]);

async function open(name: string) {
  await desk.open(image(name));
  ({ at } = await desk.fit(WIDTH, HEIGHT));
}

/** Returns the saved shape once it differs from the former one: a stroke is computed in a worker before it is saved. */
async function changed(name: string, act: () => Promise<unknown>): Promise<Rings> {
  const before = await desk.rings(image(name));
  await act();
  await expect.poll(() => desk.rings(image(name))).not.toEqual(before);
  return desk.rings(image(name));
}

/** Expects that the saved shape stays unchanged. */
async function unchanged(name: string, act: () => Promise<unknown>): Promise<void> {
  const before = await desk.rings(image(name));
  await act();
  await page.waitForTimeout(500);
  await desk.saved();
  expect(await desk.rings(image(name))).toEqual(before);
}

const has = (rings: Rings, x: number, y: number) => ringsContain(rings, x + 0.01, y + 0.01);

/** Grey, with a red square from (100, 100) to (500, 500), which contains a grey one from (200, 200) to (300, 300). */
function squares(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="#777"/><rect x="100" y="100" width="400" height="400" fill="#d00"/>
    <rect x="200" y="200" width="100" height="100" fill="#777"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

test.beforeAll(async ({ browser }) => {
  const options = { hasTouch: true, colorScheme: "dark" } as const;
  ({ server, context, page, desk } = await openDesk(browser, options, problems));
  fingers = await context.newCDPSession(page);
  const files = await Promise.all(IMAGES.map(async (name) => [`${name}.png`, await squares()] as const));
  images = await desk.dataset("paint", ["cat"], Object.fromEntries(files));
});

test.afterAll(async () => {
  await context?.close();
  await server?.remove();
  expect(problems).toEqual([]);
});

test("a fast stroke has no gaps, is visible in every frame until it is stored, and is one undo step", async () => {
  await open("brush");
  await page.mouse.move(at(100, 100).x, at(100, 100).y);
  await key("b");
  await expect(page.locator(".annotator-circle")).toBeVisible();
  const { frames, stop } = await watchFrames(at(300, 100));
  const rings = await changed("brush", () => drag([100, 100], [700, 100], [700, 500], [100, 500]));
  for (let x = 100; x <= 700; x += 10) expect(has(rings, x, 100) && has(rings, x, 500)).toBe(true);
  for (let y = 100; y <= 500; y += 10) expect(has(rings, 700, y)).toBe(true);
  expect(has(rings, 400, 300)).toBe(false);
  await expect.poll(frames).toMatch(/\+{5}$/);
  expect(await frames()).toMatch(/^-*\+*$/);
  await stop();
  expect(await changed("brush", () => key("Control+z"))).toEqual([]);
  expect(await changed("brush", () => key("Control+Shift+z"))).toEqual(rings);
});

test("a stroke across the border of the image is cut off at the border", async () => {
  const flat = (await changed("brush", () => drag([780, 590], [840, 640]))).flat(2);
  expect(Math.max(...flat.filter((_, i) => i % 2 === 0))).toBe(WIDTH);
  expect(Math.max(...flat.filter((_, i) => i % 2 === 1))).toBe(HEIGHT);
});

test("the eraser makes a hole that stays a hole; undo and redo go stroke by stroke", async () => {
  await open("eraser");
  await key("b");
  let full: Rings = [];
  for (let y = 150; y <= 450; y += 50) full = await changed("eraser", () => drag([150, y], [650, y]));
  expect(full.map((polygon) => polygon.length)).toEqual([1]);
  await key("e");
  const holed = await changed("eraser", () => click(400, 300));
  expect(holed.map((polygon) => polygon.length)).toEqual([2]);
  expect(has(holed, 400, 300)).toBe(false);
  expect(has(holed, 440, 300)).toBe(true);
  expect(await changed("eraser", () => drag([200, 10], [200, 590]))).toHaveLength(2);
  expect(await changed("eraser", () => key("Control+z"))).toEqual(holed);
  expect(await changed("eraser", () => key("Control+z"))).toEqual(full);
  expect(await changed("eraser", () => key("Control+y"))).toEqual(holed);
  await desk.saved();
  await unchanged("eraser", () => page.reload());
});

test("an annotation erased completely is deleted with a message, and Select becomes active", async () => {
  await open("all");
  await key("b");
  await changed("all", () => click(400, 300));
  await key("e");
  for (let i = 0; i < 3; i++) await key("}");
  await click(400, 300);
  await expect(page.getByText("Annotation deleted")).toBeVisible();
  await expect(toolButton(page, "Select")).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => desk.annotations(image("all"))).toEqual([]);
  expect(has(await changed("all", () => key("Control+z")), 400, 300)).toBe(true);
});

test("[ and ] change the radius, which the circle shows and the server stores", async () => {
  await open("keys");
  const { zoom } = await desk.fit(WIDTH, HEIGHT);
  await page.mouse.move(at(400, 300).x, at(400, 300).y);
  await key("b");
  const circle = page.locator(".annotator-circle");
  const across = async () => (await circle.boundingBox())?.width ?? 0;
  expect(await across()).toBeCloseTo(60 * zoom, 0);
  for (const [keys, radius] of [
    ["]", 32],
    ["[", 30],
    ["}", 40],
  ] as const) {
    await key(keys);
    await expect(page.getByRole("textbox", { name: "Radius" })).toHaveValue(String(radius));
    expect(await across()).toBeCloseTo(2 * radius * zoom, 0);
  }
  await page.mouse.wheel(0, -100);
  await expect.poll(across).toBeCloseTo(80 * zoom * 1.2, 0);
  const kept = async () => (await desk.scene(image("keys"))).preferences.brush;
  await expect.poll(kept).toEqual({ radius: 40, strokeColor: "#ffffff", pressure: true });
});

test("Escape cancels a stroke", async () => {
  await unchanged("keys", async () => {
    const { x, y } = at(400, 300);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 50, y);
    await key("Escape");
    await page.mouse.move(x + 100, y);
    await page.mouse.up();
  });
  await expect(toolButton(page, "Brush")).toHaveAttribute("aria-pressed", "true");
});

test("the wand shows a region with its hole while the button is held, adds it as one step, and with Shift removes it", async () => {
  await open("wand");
  await key("w");
  const blur = page.getByRole("textbox", { name: "Blur" });
  await blur.fill("1");
  await blur.fill("");
  await blur.blur();
  await expect(blur).toHaveValue("1");
  await page.mouse.move(at(150, 150).x, at(150, 150).y);
  await page.mouse.down();
  await expect.poll(() => alphaAt(at(150, 450))).toBeGreaterThan(0);
  const region = await changed("wand", () => page.mouse.up());
  expect(region.map((polygon) => polygon.length)).toEqual([2]);
  const [outer = [], hole = []] = (region[0] ?? []).map((ring) => ring.map((value) => Math.round(value / 4) * 4));
  expect([Math.min(...outer), Math.max(...outer)]).toEqual([100, 500]);
  expect([Math.min(...hole), Math.max(...hole)]).toEqual([200, 300]);
  const all = await changed("wand", () => drag([250, 250], [600, 300]));
  for (const [x, y] of [
    [250, 250],
    [700, 550],
    [150, 150],
  ] as const)
    expect(has(all, x, y)).toBe(true);
  expect(await changed("wand", () => key("Control+z"))).toEqual(region);
  await page.keyboard.down("Shift");
  await click(150, 150);
  await page.keyboard.up("Shift");
  await expect(page.getByText("Annotation deleted")).toBeVisible();
  await expect.poll(() => desk.annotations(image("wand"))).toEqual([]);
  expect(await changed("wand", () => key("Control+z"))).toEqual(region);
});

test("a click with the wand outside the image does nothing", async () => {
  await key("w");
  await unchanged("wand", async () => {
    await click(-20, 300);
    await click(400, 620);
  });
});

test("one finger paints, and a second finger moves the view instead", async () => {
  await open("touch");
  await key("b");
  const rings = await changed("touch", async () => {
    await touch("touchStart", [at(100, 300)]);
    for (let x = 200; x <= 600; x += 200) await touch("touchMove", [at(x, 300)]);
    await touch("touchEnd", []);
  });
  for (let x = 100; x <= 600; x += 10) expect(has(rings, x, 300)).toBe(true);
  await expect(page.locator(".annotator-circle")).toBeHidden();
  const zoom = () => page.getByText(/^\d+%$/).innerText();
  const before = await zoom();
  await unchanged("touch", async () => {
    await touch("touchStart", [at(100, 100)]);
    await touch("touchMove", [at(200, 100)]);
    await touch("touchStart", [at(200, 100), at(400, 400)]);
    await touch("touchMove", [at(150, 50), at(450, 450)]);
    await touch("touchEnd", []);
  });
  expect(await zoom()).not.toBe(before);
});

test("all layers become sharp when only the pixel ratio changes, as on another screen", async () => {
  await open("keys");
  const ratios = () =>
    page.locator("canvas.annotator-layer").evaluateAll((canvases) => {
      const shown = canvases.filter(
        (each): each is HTMLCanvasElement => each instanceof HTMLCanvasElement && each.style.visibility !== "hidden",
      );
      return [...new Set(shown.map(({ width, clientWidth }) => Math.round((10 * width) / clientWidth) / 10))];
    });
  expect(await ratios()).toEqual([1]);
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  await fingers.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 2, mobile: false });
  // Chromium's emulation changes the ratio without the media query's event, so the pointer is the sign here.
  await page.mouse.move(at(100, 100).x, at(100, 100).y);
  await expect.poll(ratios).toEqual([2]);
  await fingers.send("Emulation.clearDeviceMetricsOverride");
});

async function touch(type: "touchStart" | "touchMove" | "touchEnd", places: { x: number; y: number }[]) {
  const touchPoints = places.map((place, id) => ({ ...place, id }));
  await fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
}

/** Returns the opacity of the canvases above the image at a place on the page, 0 to 255. */
function alphaAt(place: { x: number; y: number }): Promise<number> {
  return page.evaluate(READ_ALPHA, place);
}

/** Watches if anything is painted at a place: `frames` returns "+" or "-" for each frame so far. */
async function watchFrames(place: { x: number; y: number }) {
  const seen = await page.evaluateHandle(
    ([read, { x, y }]) => {
      const alpha = new Function(`return ${read}`)() as typeof READ_ALPHA;
      const all = { frames: "", isOver: false };
      const look = () => {
        all.frames += alpha({ x, y }) > 0 ? "+" : "-";
        if (!all.isOver) requestAnimationFrame(look);
      };
      look();
      return all;
    },
    [String(READ_ALPHA), place] as const,
  );
  return {
    frames: () => seen.evaluate(({ frames }) => frames),
    stop: () => seen.evaluate((all) => Object.assign(all, { isOver: true })),
  };
}

function READ_ALPHA({ x, y }: { x: number; y: number }): number {
  let most = 0;
  for (const canvas of document.querySelectorAll<HTMLCanvasElement>("canvas.annotator-layer")) {
    const box = canvas.getBoundingClientRect();
    if (canvas.style.visibility === "hidden" || box.width === 0) continue;
    const scale = canvas.width / box.width;
    const pixel = canvas.getContext("2d")?.getImageData((x - box.left) * scale, (y - box.top) * scale, 1, 1);
    most = Math.max(most, pixel?.data[3] ?? 0);
  }
  return most;
}
