import { describe, expect, it } from "vitest";
import type { LookedAt } from "../../../shared/quality/labels/lookedAt";
import { findUnlikelyCategories, MOST_UNLIKELY } from "../../../shared/quality/labels/unlikelyCategories";
import { findUnlikelyOutlines } from "../../../shared/quality/labels/unlikelyOutlines";
import { seededRandom } from "../../support/seededRandom";

const LENGTH = 16;

/** Returns a nearly normal number with mean 0 and deviation 1. */
const normal = (random: () => number): number =>
  Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);

/** Returns annotations of categories whose features are `apart` deviations from each other, four in each image. */
function looks(count: number, categories: number, apart: number): LookedAt[] {
  const random = seededRandom(3);
  return Array.from({ length: count }, (_, id) => {
    const category = 1 + (id % categories);
    const features = Array.from(
      { length: LENGTH },
      (_, k) => normal(random) + (k % categories === category - 1 ? apart : 0),
    );
    const bbox: LookedAt["bbox"] = [300 * random(), 200 * random(), 40 + 40 * random(), 30 + 30 * random()];
    const area = 0.7 * bbox[2] * bbox[3];
    return {
      id,
      revision: 1,
      image: Math.floor(id / 4),
      category,
      bbox,
      area,
      frame: { width: 640, height: 480 },
      overlap: 0.8,
      features,
    };
  });
}

describe("unlikely categories", () => {
  it("finds swapped categories and names the likely ones, the surest first", () => {
    const all = looks(240, 4, 3);
    const swapped = [10, 57, 100, 203];
    const likely = swapped.map((id) => all[id]!.category);
    for (const id of swapped) all[id] = { ...all[id]!, category: 1 + (all[id]!.category % 4) };
    const findings = findUnlikelyCategories(all);
    expect(findings.map(({ annotation }) => annotation).sort((a, b) => a! - b!)).toEqual(swapped);
    for (const { annotation, details } of findings) expect(details.likely).toBe(likely[swapped.indexOf(annotation!)]);
    expect(findings.map(({ score }) => score)).toEqual(findings.map(({ score }) => score).sort((a, b) => b - a));
  });

  it("finds nothing in a sound dataset, nor where categories look the same", () => {
    expect(findUnlikelyCategories(looks(240, 4, 3))).toEqual([]);
    expect(findUnlikelyCategories(looks(240, 4, 0))).toEqual([]);
  });

  it("never lists more than one in twenty annotations", () => {
    const all = looks(400, 4, 5).map((look, id) =>
      id % 11 === 0 ? { ...look, category: 1 + (look.category % 4) } : look,
    );
    const findings = findUnlikelyCategories(all);
    expect(findings.length).toBeGreaterThan(10);
    expect(findings.length).toBeLessThanOrEqual(MOST_UNLIKELY * all.length);
  });

  it("compares nothing in a small dataset, one category, or without features", () => {
    const all = looks(40, 2, 3);
    all[3]!.category = 1;
    expect(findUnlikelyCategories(all)).toEqual([]);
    expect(findUnlikelyCategories(looks(100, 1, 3))).toEqual([]);
    expect(findUnlikelyCategories(looks(100, 4, 3).map((look) => ({ ...look, features: undefined })))).toEqual([]);
  });

  it("stands columns that never change and categories of one", () => {
    const all = looks(120, 3, 3).map((look) => ({ ...look, features: [...Array.from(look.features ?? []), 7] }));
    all[50] = { ...all[50]!, category: 99 };
    const findings = findUnlikelyCategories(all);
    for (const { score } of findings) expect(score).toBeGreaterThan(0);
    expect(findings.every(({ annotation }) => annotation === 50)).toBe(true);
  });
});

describe("unlikely outlines", () => {
  it("finds those that share little with DEXTR's, unless they are small or only boxes", () => {
    const [good, bad, small, box] = looks(4, 2, 1) as [LookedAt, LookedAt, LookedAt, LookedAt];
    const findings = findUnlikelyOutlines([
      good,
      { ...bad, overlap: 0.25, area: 900 },
      { ...small, overlap: 0.25, area: 90 },
      { ...box, overlap: null },
    ]);
    expect(findings).toMatchObject([
      { kind: "unlikelyOutline", annotation: bad.id, score: 0.75, details: { overlap: 0.25 } },
    ]);
  });
});
