import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Number of frames without animations after which none is expected any more. */
const QUIET_FRAMES = 5;

/** Returns true if something other than an endless animation is moving in the next frame. */
async function isAnimating(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    return document
      .getAnimations()
      .some(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
  });
}

/**
 * Returns the violations that axe finds on a page, or in a part of it, as "rule: element". Waits for animations to end,
 * because fading text has too little contrast; ignores toasts, which appear at any time. Checks nothing on the slow
 * network, because the same pages are checked on the fast one.
 */
export async function findViolations(page: Page, part?: string): Promise<string[]> {
  if (process.env.LIMN_SLOW_SEED) return [];
  // An animation begins some frames after its cause, such as a change of the colour scheme.
  for (let quiet = 0; quiet < QUIET_FRAMES; ) quiet = (await isAnimating(page)) ? 0 : quiet + 1;
  // axe is loaded once per document: its source is large, and loading it takes longer than a run.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (selector) => {
    const context = { include: selector ? [selector] : [":root"], exclude: [".mantine-Notifications-root"] };
    // Leaves out the details of rules that are met, which take most of the time on a large page.
    const { violations } = await window.axe.run(context, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, part);
}

/** Expects that axe finds nothing in either theme, and that the page does not scroll sideways at 768 or 1280 pixels. */
export async function expectAccessible(page: Page, what = ""): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${what}-${colorScheme}.png` });
    expect.soft(await findViolations(page), `${what} ${colorScheme}`).toEqual([]);
  }
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
}

/** Returns texts that are wider than their element. Names of users' data end with an ellipsis on purpose. */
export const cutTexts = (page: Page, part = "body"): Promise<string[]> =>
  page.evaluate(
    (selector) =>
      [...document.querySelectorAll<HTMLElement>(`${selector} *`)]
        .filter((element) => {
          const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
          const { display, textOverflow, clipPath, position } = getComputedStyle(element);
          const isHidden = clipPath !== "none" || (position === "absolute" && element.clientWidth <= 1);
          if (!hasText || display === "inline" || textOverflow === "ellipsis" || isHidden) return false;
          return element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
        })
        .map((element) => `${element.tagName} ${element.textContent}`),
    part,
  );
