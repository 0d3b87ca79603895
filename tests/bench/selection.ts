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
    const command = await watchCommand(page);
    await page.keyboard.press(key);
    times.push({ what, ...(await command()) });
    if (process.env.VERBOSE) console.log(times.at(-1));
  }
  await page.keyboard.press("Escape");
  return times;
}

/**
 * Starts to watch the page. Returns a function that resolves with milliseconds from the next key that is no modifier
 * until the canvas has painted everything, and until the page shows that all is saved. The page itself looks at every
 * frame: Playwright looks twice a second, which is a quarter of the longest times.
 */
async function watchCommand(page: Page): Promise<() => Promise<Omit<CommandTimes, "what">>> {
  await page.evaluate(() => {
    const canvas = document.querySelector<HTMLElement>(".annotator-canvas")!;
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const times = new Promise<{ painted: number; saved: number }>((resolve) => {
      const handleKey = async ({ key }: KeyboardEvent) => {
        if (["Control", "Alt"].includes(key)) return;
        removeEventListener("keydown", handleKey, true);
        const started = performance.now();
        const until = async (isReached: () => boolean) => {
          while (!isReached()) await nextFrame();
          return performance.now() - started;
        };
        // The command runs after this listener, and the frame after it marks the canvas as not sharp.
        await nextFrame();
        await nextFrame();
        const [painted, saved] = await Promise.all([
          until(() => canvas.dataset.sharp === "true"),
          until(() => document.querySelector('[data-save-state="saved"]') !== null),
        ]);
        resolve({ painted, saved });
      };
      addEventListener("keydown", handleKey, true);
    });
    Object.assign(window, { times });
  });
  return () => page.evaluate(() => Reflect.get(window, "times") as Promise<{ painted: number; saved: number }>);
}
