import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Returns the violations that axe finds on a page, or in a part of it: "rule: element". Runs when nothing moves, since
 * what fades in or out is hard to read meanwhile; toasts, which come at any time, are left out.
 */
export async function faultsOf(page: Page, part?: string): Promise<string[]> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity),
  );
  const axe = new AxeBuilder({ page }).exclude(".mantine-Notifications-root");
  const { violations } = await (part ? axe.include(part) : axe).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** In both themes axe finds nothing, and nothing is to be scrolled sideways at 768 or 1280 pixels. */
export async function expectSound(page: Page, what = ""): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${what}-${colorScheme}.png` });
    expect.soft(await faultsOf(page), `${what} ${colorScheme}`).toEqual([]);
  }
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
}
