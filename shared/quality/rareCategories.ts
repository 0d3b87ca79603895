import type { Finding } from "./finding";

/** Share of the median category's annotations below which a category is rare. */
export const RARE_SHARE = 0.05;

/**
 * Finds categories with far fewer annotations than the median category has. Categories without annotations count as
 * well, if the median category has at least as many as make the share a whole annotation.
 */
export function findRareCategories(counts: ReadonlyMap<number, number>): Finding[] {
  const sorted = [...counts.values()].filter((count) => count > 0).sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? 0;
  return [...counts].flatMap(([category, count]) => {
    if (count >= RARE_SHARE * median || median * RARE_SHARE < 1) return [];
    return [{ kind: "rareCategory" as const, category, score: median / (count + 1), details: { count, median } }];
  });
}
