import type { Page } from "@playwright/test";
import type { Bed } from "./bed";
import { inBrowser } from "./canvas";
import { createCells, ringsOfCells } from "./cells";
import type { Figure } from "./figures";
import { type CommandTimes, selectionTimes } from "./selection";

const VERTICES = 60;
/** Time limit for opening an image, in milliseconds, so that a slow machine still gets a figure. */
const OPENING_MS = 120_000;
const GOAL = { paintedMs: 300, savedMs: 2000, taskMs: 50, openMs: 5000, frameMs: 1000 / 30 };

/** Returns a measurement of moving the view over `count` shapes; with 5,000 also of commands on all of them. */
export const many = (count: number) => (bed: Bed) =>
  inBrowser(bed, false, async (page) => {
    const imageId = await createCells(page, bed, ringsOfCells(count, VERTICES), `many ${count}`);
    const opened = await open(page, bed, imageId);
    const moving = await moveView(page);
    const what = `${count.toLocaleString("en")} shapes of ${VERTICES} vertices, ${bed.kind}`;
    const commands = count === 5000 ? await selectionTimes(page) : [];
    return [viewFigure(what, count, opened, moving), ...commands.map((times) => commandFigure(what, times))];
  });

/** Returns milliseconds until the image's shapes are painted. */
async function open(page: Page, bed: Bed, imageId: number): Promise<number> {
  const started = performance.now();
  await page.goto(`${bed.server.url}annotate/${imageId}`, { waitUntil: "commit" });
  await page.locator('.annotator-canvas[data-sharp="true"]').waitFor({ timeout: OPENING_MS });
  return performance.now() - started;
}

interface Moving {
  /** Median and longest time from frame to frame, and the longest task of the main thread, in milliseconds. */
  frame: number;
  longestFrame: number;
  task: number;
}

/** Pans and zooms with the wheel, once in each frame. */
async function moveView(page: Page): Promise<Moving> {
  await page.bringToFront();
  return page.evaluate(async () => {
    const canvas = document.querySelector<HTMLElement>(".annotator-canvas")!;
    const { x, y } = canvas.getBoundingClientRect();
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((each) => each.duration)));
    // Work that is left from opening the image comes first.
    for (let i = 0; i < 60; i++) await nextFrame();
    observer.observe({ type: "longtask" });
    const frames: number[] = [];
    let last = await nextFrame();
    for (let i = 0; i < 240; i++) {
      const shiftKey = i < 120;
      const deltaY = i % 60 < 30 ? -12 : 12;
      const at = { clientX: x + 500, clientY: y + 400, bubbles: true, cancelable: true };
      canvas.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY, shiftKey }));
      const now = await nextFrame();
      frames.push(now - last);
      last = now;
    }
    frames.sort((a, b) => a - b);
    return { frame: frames[120]!, longestFrame: frames.at(-1)!, task: Math.max(0, ...tasks) };
  });
}

function viewFigure(what: string, count: number, opened: number, { frame, longestFrame, task }: Moving): Figure {
  const isHuge = count > 5000;
  return {
    what: `${what}: open, pan and zoom`,
    ours: `open after ${opened.toFixed(0)} ms; median frame ${frame.toFixed(1)} ms, longest ${longestFrame.toFixed(0)} ms; longest task ${task.toFixed(0)} ms`,
    peer: "-",
    ratio: null,
    goal: isHuge ? `open within ${GOAL.openMs} ms, 30 frames a second` : `no task over ${GOAL.taskMs} ms`,
    met: isHuge ? opened <= GOAL.openMs && frame <= GOAL.frameMs : task <= GOAL.taskMs,
  };
}

function commandFigure(what: string, { what: command, painted, saved }: CommandTimes): Figure {
  return {
    ...{ what: `${what}: ${command}`, peer: "-", ratio: null },
    ours: `painted after ${painted.toFixed(0)} ms, saved after ${saved.toFixed(0)} ms`,
    goal: `${GOAL.paintedMs} ms and ${GOAL.savedMs} ms`,
    met: painted <= GOAL.paintedMs && saved <= GOAL.savedMs,
  };
}
