import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pagerWindow } from "../../../../web/components/lists/pagerWindow";

describe("pagerWindow", () => {
  it("shows all pages while there are at most 11", () => {
    expect(pagerWindow(1, 3)).toEqual([1, 2, 3]);
    expect(pagerWindow(11, 11)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(pagerWindow(1, 0)).toEqual([]);
  });

  it("centres the page, and stays inside at the ends", () => {
    expect(pagerWindow(50, 100)).toEqual([45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55]);
    expect(pagerWindow(2, 100).at(0)).toBe(1);
    expect(pagerWindow(99, 100).at(-1)).toBe(100);
  });

  it("is always a run of min(11, pages) pages including the current one", () => {
    const pages = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(pages, fc.nat(), (count, any) => {
        const page = 1 + (any % count);
        const window = pagerWindow(page, count);
        expect(window).toHaveLength(Math.min(11, count));
        expect(window).toContain(page);
        expect(window.at(-1)! - window[0]!).toBe(window.length - 1);
        expect(window[0]).toBeGreaterThanOrEqual(1);
        expect(window.at(-1)).toBeLessThanOrEqual(count);
      }),
    );
  });
});
