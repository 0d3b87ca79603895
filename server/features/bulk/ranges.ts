import { z } from "zod";

/** Ids as contiguous ranges (both ends included) in ascending order: a million images are often a single range. */
export const ranges = z.array(z.tuple([z.number(), z.number()]));
export type Range = z.infer<typeof ranges>[number];

export const numberOf = (all: readonly Range[]): number => all.reduce((sum, [from, to]) => sum + to - from + 1, 0);

/** Returns ranges in ascending order without some ids. */
export function withoutIds(all: readonly Range[], ids: readonly number[]): Range[] {
  const left: Range[] = [];
  const sorted = ids.toSorted((a, b) => a - b);
  let next = 0;
  for (const [start, end] of all) {
    let from = start;
    while ((sorted[next] ?? Number.POSITIVE_INFINITY) < from) next++;
    for (; (sorted[next] ?? Number.POSITIVE_INFINITY) <= end; next++) {
      const id = sorted[next] ?? end;
      if (id > from) left.push([from, id - 1]);
      from = id + 1;
    }
    if (from <= end) left.push([from, end]);
  }
  return left;
}

/** Returns ranges in ascending order with adjacent ones joined. */
export function joined(all: readonly Range[]): Range[] {
  const longer: Range[] = [];
  for (const [from, to] of all) {
    const last = longer.at(-1);
    if (last && last[1] + 1 === from) last[1] = to;
    else longer.push([from, to]);
  }
  return longer;
}

/** Returns true if one of the ranges, which are in ascending order, has the id. */
export function hasId(all: readonly Range[], id: number): boolean {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.[1] ?? id) < id) low = middle + 1;
    else high = middle;
  }
  const [from] = all[low] ?? [Number.POSITIVE_INFINITY];
  return from <= id;
}
