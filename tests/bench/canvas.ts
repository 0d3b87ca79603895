import type { Page } from "@playwright/test";
import { Desk } from "../support/annotatorDesk";
import type { Bed } from "./bed";
import { launchBrowser } from "./browser";
import { createCells, IMAGE_SIZE, ringsOfCells } from "./cells";
import type { Figure } from "./figures";
import { scissors } from "./scissors";

const SHAPES = 5000;
const VERTICES = 60;
const VIEWPORT = { width: 1440, height: 900 };
const GOAL = { frames: 10, sharpMs: 300, hitMs: 1, openMs: 1500, taskMs: 50 };

/** Measures how fast Chromium shows 5,000 shapes: in the annotator, and as paper.js items with fill alpha. */
export async function canvas(bed: Bed): Promise<Figure[]> {
  const rings = ringsOfCells(SHAPES, VERTICES);
  const [opened, rest, hit, tasks] = await inBrowser(bed, false, async (page) => {
    const imageId = await createCells(page, bed, rings);
    return [
      await openingTime(page, bed, imageId),
      await timeToSharp(page),
      await hoverTime(page),
      await longestDragTask(page),
    ] as const;
  });
  const [ours, theirs] = await inBrowser(bed, true, async (page) => {
    const desk = new Desk(page, bed.server.url);
    await desk.open(1);
    await page.locator('.annotator-canvas[data-sharp="true"]').waitFor();
    const ours = await frameTimes(page, "ours");
    await page.goto("about:blank");
    await page.addScriptTag({ path: "node_modules/paper/dist/paper-core.js" });
    await paperItems(page, rings);
    return [ours, await frameTimes(page, "paper")];
  });
  return [
    moving("pan", ours.pan, theirs.pan),
    moving("zoom", ours.zoom, theirs.zoom),
    single("Sharp again after the view rests, longest of 6", rest, "ms", GOAL.sharpMs),
    single("Hit test under the pointer, with all that hovering does, mean", hit, "ms", GOAL.hitMs),
    single("Opening the image until one can draw, median of 5", opened, "ms", GOAL.openMs),
    single("Longest main-thread task while tools drag", tasks, "ms", GOAL.taskMs),
    scissors(),
  ];
}

/** With `unlimited`, frames are rendered as fast as possible; otherwise 60 a second, as users see them. */
export async function inBrowser<T>(bed: Bed, unlimited: boolean, work: (page: Page) => Promise<T>): Promise<T> {
  const browser = await launchBrowser({ unlimited });
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, serviceWorkers: "block" });
    // The compiler wraps this file's functions in a helper that does not exist in the page.
    await context.addInitScript("globalThis.__name = (named) => named");
    const page = await context.newPage();
    await new Desk(page, bed.server.url).api("POST", "user/login", { username: "bench", password: "bench-password" });
    return await work(page);
  } finally {
    await browser.close();
  }
}

/**
 * Returns milliseconds from the click on the image in its dataset until its shapes are painted and a tool can be
 * chosen.
 */
async function openingTime(page: Page, bed: Bed, imageId: number): Promise<number> {
  const desk = new Desk(page, bed.server.url);
  const { dataset } = await desk.scene(imageId);
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    await page.goto(`${bed.server.url}dataset/${dataset.id}`);
    const link = page.getByRole("article", { name: "c.png" }).getByRole("link").first();
    await link.waitFor();
    const started = performance.now();
    await link.click();
    await page.locator('.annotator-canvas[data-sharp="true"]').waitFor();
    times.push(performance.now() - started);
  }
  return median(times);
}

type Frames = { pan: number; zoom: number };

/** Returns median milliseconds from frame to frame while the view pans by 12 pixels or zooms by 4 % in each. */
async function frameTimes(page: Page, whose: "ours" | "paper"): Promise<Frames> {
  await page.bringToFront();
  return page.evaluate(async (whose) => {
    const canvas = document.querySelector(".annotator-canvas");
    const box = canvas?.getBoundingClientRect();
    const wheel = (change: WheelEventInit) =>
      canvas?.dispatchEvent(
        new WheelEvent("wheel", {
          clientX: box!.x + 600,
          clientY: box!.y + 400,
          bubbles: true,
          cancelable: true,
          ...change,
        }),
      );
    // A global of a script loaded by the page of paper.js.
    const { view } = (whose === "paper" ? Reflect.get(window, "paper") : {}) as unknown as paper.PaperScope;
    const move = {
      ours: {
        pan: (by: number) => wheel({ deltaY: by, shiftKey: true }),
        zoom: (by: number) => wheel({ deltaY: (-by * Math.log(1.04) * 100) / Math.log(1.2) }),
      },
      paper: {
        pan: (by: number) => view.translate([-by, 0] as unknown as paper.Point),
        zoom: (by: number) => view.scale(1.04 ** by),
      },
    }[whose];
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    async function run(step: (i: number) => void): Promise<number> {
      const times: number[] = [];
      let last = await nextFrame();
      for (let i = 0; i < 120; i++) {
        step(i);
        const now = await nextFrame();
        times.push(now - last);
        last = now;
      }
      return times.sort((a, b) => a - b)[60]!;
    }
    const pan = await run((i) => move.pan(i < 60 ? 12 : -12));
    const zoom = await run((i) => move.zoom(i % 60 < 30 ? 1 : -1));
    return { pan, zoom };
  }, whose);
}

/** Shows the same shapes as paper.js items, fitted like in the annotator. */
async function paperItems(page: Page, rings: number[][]): Promise<void> {
  await page.evaluate(
    ({ rings, size }) => {
      document.body.style.margin = "0";
      const canvas = document.createElement("canvas");
      canvas.style.cssText = "width: 1140px; height: 850px; display: block";
      document.body.append(canvas);
      const paper = Reflect.get(window, "paper") as unknown as paper.PaperScope;
      paper.setup(canvas);
      const fill = new paper.Color("#3a7bd5");
      fill.alpha = 0.6;
      for (const ring of rings) {
        const segments = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]]);
        new paper.Path({
          segments,
          closed: true,
          fillColor: fill,
          strokeColor: "#3a7bd5",
          strokeWidth: 1.5,
          strokeScaling: false,
        });
      }
      paper.view.zoom = Math.min((1140 / size.width) * 0.95, (850 / size.height) * 0.8);
      paper.view.center = new paper.Point(size.width / 2, size.height / 2);
    },
    { rings, size: IMAGE_SIZE },
  );
}

/**
 * Returns milliseconds from the last turn of the wheel until the shapes are painted for the current view; the longest
 * of 6.
 */
async function timeToSharp(page: Page): Promise<number> {
  await page.bringToFront();
  const times: number[] = [];
  for (let i = 0; i < 6; i++) {
    times.push(
      await page.evaluate(
        async (zoomIn) => {
          const canvas = document.querySelector<HTMLElement>(".annotator-canvas")!;
          const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
          const { x, y } = canvas.getBoundingClientRect();
          for (let k = 0; k < 20; k++) {
            const deltaY = zoomIn ? -20 : 20;
            canvas.dispatchEvent(
              new WheelEvent("wheel", { clientX: x + 500, clientY: y + 400, deltaY, cancelable: true }),
            );
            await nextFrame();
          }
          const started = performance.now();
          while (canvas.dataset.sharp !== "true") await nextFrame();
          return performance.now() - started;
        },
        i % 2 === 0,
      ),
    );
  }
  return Math.max(...times);
}

/** Returns mean milliseconds of a pointer move, including all hover work before the frame. */
async function hoverTime(page: Page): Promise<number> {
  await page.keyboard.press("s");
  await page.keyboard.press("c");
  return page.evaluate(() => {
    const canvas = document.querySelector(".annotator-canvas")!;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const count = 1000;
    const started = performance.now();
    for (let i = 0; i < count; i++) {
      const [clientX, clientY] = [left + ((i * 617) % width), top + ((i * 251) % height)];
      canvas.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, pointerType: "mouse", bubbles: true }));
    }
    return (performance.now() - started) / count;
  });
}

/** Returns the longest task of the main thread, in milliseconds, while each drawing tool drags. */
async function longestDragTask(page: Page): Promise<number> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: "longtask",
    });
  });
  const box = (await page.locator(".annotator-canvas").boundingBox())!;
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.click(...at(0.5, 0.5));
  let longest = 0;
  for (const key of ["v", "r", "b", "e", "w", "k", "s"]) {
    await page.keyboard.press(key);
    await page.mouse.move(...at(0.5, 0.5));
    await page.evaluate(() => Reflect.get(window, "longTasks").splice(0));
    await page.mouse.down();
    for (let i = 0; i < 60; i++) await page.mouse.move(...at(0.5 + 0.1 * Math.sin(i / 9), 0.5 + 0.1 * Math.cos(i / 9)));
    longest = Math.max(longest, await page.evaluate(() => Math.max(0, ...Reflect.get(window, "longTasks"))));
    if (process.env.VERBOSE) console.log(key, longest);
    await page.mouse.up();
    await page.keyboard.press("Escape");
    await page.mouse.click(...at(0.5, 0.5));
  }
  return longest;
}

function moving(how: string, ours: number, theirs: number): Figure {
  return {
    what: `${SHAPES.toLocaleString("en")} shapes of ${VERTICES} vertices in Chromium: ${how}, median frame`,
    ours: `${ours.toFixed(1)} ms`,
    peer: `${theirs.toFixed(1)} ms: the same as paper.js items with fill alpha`,
    ratio: theirs / ours,
    goal: `${GOAL.frames} times faster`,
    met: theirs / ours >= GOAL.frames,
  };
}

function single(what: string, value: number, unit: string, goal: number): Figure {
  const shown = value < 10 ? value.toFixed(2) : value.toFixed(0);
  return {
    what,
    ours: `${shown} ${unit}`,
    peer: "-",
    ratio: null,
    goal: `at most ${goal} ${unit}`,
    met: value <= goal,
  };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
