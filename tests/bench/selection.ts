import type { Page } from "@playwright/test";

/** Longest times of the commands on all shapes, in milliseconds. */
export interface SelectionTimes {
  /** From the key to the frame that shows the result. */
  painted: number;
  /** From the key until the server has stored it. */
  saved: number;
}

/** Keys that select, move, re-label and undo; the second category must exist. */
const KEYS = ["Control+a", "Alt+ArrowRight", "Control+z", "2", "Control+z"];

/** Runs the commands on all shapes of the open image, one after another, and returns their longest times. */
export async function selectionTimes(page: Page): Promise<SelectionTimes> {
  await page.keyboard.press("s");
  await page.locator(".annotator-canvas").focus();
  const longest: SelectionTimes = { painted: 0, saved: 0 };
  for (const key of KEYS) {
    const painting = await watchPainting(page);
    const started = performance.now();
    await page.keyboard.press(key);
    const painted = await painting();
    await page.locator('[data-save-state="saved"]').waitFor();
    const saved = performance.now() - started;
    if (process.env.VERBOSE) console.log(key, painted, saved);
    longest.painted = Math.max(longest.painted, painted);
    longest.saved = Math.max(longest.saved, saved);
  }
  await page.keyboard.press("Escape");
  return longest;
}

/**
 * Starts to watch the canvas. Returns a function that resolves with milliseconds from the next key that is no modifier
 * until the canvas has painted everything.
 */
async function watchPainting(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const canvas = document.querySelector<HTMLElement>(".annotator-canvas")!;
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const painted = new Promise<number>((resolve) => {
      const handleKey = async ({ key }: KeyboardEvent) => {
        if (["Control", "Alt"].includes(key)) return;
        removeEventListener("keydown", handleKey, true);
        const started = performance.now();
        // The command runs after this listener, and the frame after it marks the canvas as not sharp.
        await nextFrame();
        await nextFrame();
        while (canvas.dataset.sharp !== "true") await nextFrame();
        resolve(performance.now() - started);
      };
      addEventListener("keydown", handleKey, true);
    });
    Object.assign(window, { painted });
  });
  return () => page.evaluate(() => Reflect.get(window, "painted") as Promise<number>);
}
