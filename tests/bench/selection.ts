import type { Page } from "@playwright/test";

/** Times of a command on all shapes, in milliseconds. */
export interface CommandTimes {
  what: string;
  /** From the key to the frame that shows the result. */
  painted: number;
  /** From the key until the server has stored it. */
  saved: number;
}

/** Commands in order and their keys; the second category must exist. */
const KEYS = [
  ["select all", "Control+a"],
  ["move", "Alt+ArrowRight"],
  ["undo the move", "Control+z"],
  ["re-label", "2"],
  ["undo the re-labelling", "Control+z"],
] as const;

/** Runs the commands on all shapes of the open image, one after another, and returns their times. */
export async function selectionTimes(page: Page): Promise<CommandTimes[]> {
  await page.keyboard.press("s");
  await page.locator(".annotator-canvas").focus();
  const times: CommandTimes[] = [];
  for (const [what, key] of KEYS) {
    const painting = await watchPainting(page);
    const started = performance.now();
    await page.keyboard.press(key);
    const painted = await painting();
    await page.locator('[data-save-state="saved"]').waitFor({ timeout: 120_000 });
    times.push({ what, painted, saved: performance.now() - started });
    if (process.env.VERBOSE) console.log(times.at(-1));
  }
  await page.keyboard.press("Escape");
  return times;
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
