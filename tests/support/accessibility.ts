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
 * network, because the same pages are checked on the fast one. `rules`: the only rules to check.
 */
export async function findViolations(page: Page, part?: string, rules?: string[]): Promise<string[]> {
  if (process.env.LIMN_SLOW_SEED) return [];
  // An animation begins some frames after its cause, such as a change of the colour scheme.
  for (let quiet = 0; quiet < QUIET_FRAMES; ) quiet = (await isAnimating(page)) ? 0 : quiet + 1;
  // axe is loaded once per document: its source is large, and loading it takes longer than a run.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ selector, runOnly }) => {
      const context = { include: selector ? [selector] : [":root"], exclude: [".mantine-Notifications-root"] };
      // Leaves out the details of rules that are met, which take most of the time on a large page.
      const { violations } = await window.axe.run(context, {
        resultTypes: ["violations"],
        ...(runOnly && { runOnly }),
      });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    },
    { selector: part, runOnly: rules },
  );
}

/** axe's rules that depend on colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Expects that axe finds nothing on a page, or in a part of it, in either theme. The second theme has other colours but
 * the same elements, so that only the rules for colours are checked in it. The page stays in the light theme.
 */
export async function expectNoViolations(page: Page, what: string, part?: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${what}-${colorScheme}.png` });
    const rules = colorScheme === "dark" ? undefined : COLOUR_RULES;
    expect.soft(await findViolations(page, part, rules), `${what} ${colorScheme}`).toEqual([]);
  }
}

/** Expects that axe finds nothing in either theme, and that the page does not scroll sideways at 768 or 1280 pixels. */
export async function expectAccessible(page: Page, what = ""): Promise<void> {
  await expectNoViolations(page, what);
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
}

/** Returns texts that are wider than their element. Names of users' data end with an ellipsis on purpose. */
export const cutTexts = (page: Page, part = "body"): Promise<string[]> =>
  page.evaluate((selector) => {
    const elements = [...document.querySelectorAll<HTMLElement>(`${selector} *`)];
    const cut = elements.filter((element) => {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      const { display, textOverflow, clipPath, position } = getComputedStyle(element);
      const isHidden = clipPath !== "none" || (position === "absolute" && element.clientWidth <= 1);
      if (!hasText || display === "inline" || textOverflow === "ellipsis" || isHidden) return false;
      return element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
    });
    const pen = document.createElement("canvas").getContext("2d")!;
    const placeholders = elements.flatMap((element) => {
      if (!(element instanceof HTMLInputElement) || element.value || element.clientWidth === 0) return [];
      const { font, paddingLeft, paddingRight } = getComputedStyle(element);
      pen.font = font;
      const space = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return pen.measureText(element.placeholder).width > space + 1 ? [`placeholder ${element.placeholder}`] : [];
    });
    return [...cut.map((element) => `${element.tagName} ${element.textContent}`), ...placeholders];
  }, part);

/** Returns pairs of texts that lie on each other. Leaves out what is scrolled away, and layers over the page. */
export const overlappingTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Pixels by which lines of text may overlap: letters do not fill their lines. */
    const SLACK = 4;
    /** Returns the part of a box that is not cut off by the element's ancestors. */
    const seenPart = (element: Element, { left, top, right, bottom }: DOMRect) => {
      const seen = { left, top, right, bottom };
      for (let at: Element | null = element; at; at = at.parentElement) {
        if (getComputedStyle(at).overflow === "visible") continue;
        const box = at.getBoundingClientRect();
        seen.left = Math.max(seen.left, box.left);
        seen.top = Math.max(seen.top, box.top);
        seen.right = Math.min(seen.right, box.right);
        seen.bottom = Math.min(seen.bottom, box.bottom);
      }
      return seen;
    };
    const isLayer = (element: Element) => {
      for (let at: Element | null = element; at; at = at.parentElement) {
        const { position, opacity, clipPath } = getComputedStyle(at);
        if (position !== "static" && position !== "relative") return true;
        if (opacity === "0" || clipPath !== "none") return true;
      }
      return false;
    };
    const texts: { text: string; left: number; top: number; right: number; bottom: number }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim();
      const element = node.parentElement;
      if (!text || !element?.checkVisibility({ visibilityProperty: true }) || isLayer(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const seen = seenPart(element, line);
        if (seen.right - seen.left > 1 && seen.bottom - seen.top > 1) texts.push({ text, ...seen });
      }
    }
    return texts.flatMap((one, i) =>
      texts.slice(i + 1).flatMap((other) => {
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        return across > SLACK && down > SLACK && one.text !== other.text ? [`${one.text} | ${other.text}`] : [];
      }),
    );
  });
