import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Returns the violations that axe finds on a page, or in a part of it, as "rule: element". Waits for animations to end,
 * because fading text has too little contrast; ignores toasts, which appear at any time.
 */
export async function findViolations(page: Page, part?: string): Promise<string[]> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity),
  );
  const axe = new AxeBuilder({ page }).exclude(".mantine-Notifications-root");
  const { violations } = await (part ? axe.include(part) : axe).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
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
