import { assign } from "./assign";
import { type ComparedImage, type Extent, extentOf, overlapOf } from "./compared";

/** Overlap from which two annotations may be the same object, as in COCO and in panoptic quality. */
export const SAME_OBJECT = 0.5;

/** Two annotations that are the same object, as places in the two lists of annotations. */
export interface Match {
  a: number;
  b: number;
  overlap: number;
}

/** `categories`: true if only annotations of the same category are matched. */
interface MatchOptions {
  categories: boolean;
  threshold?: number;
}

export type Extents = readonly (Extent | undefined)[];

/** Returns the extents of an image's annotations in their order; undefined for crowds. */
export const extentsOf = (image: ComparedImage): Extents =>
  image.annotations.map((annotation) => extentOf(annotation, image));

/**
 * Matches the annotations of two users: no annotation is in two pairs, each pair overlaps by at least the threshold,
 * and the sum of overlaps is the largest that is possible. Pairs are in the order of `a`.
 */
export function matchExtents(a: Extents, b: Extents, { categories, threshold = SAME_OBJECT }: MatchOptions): Match[] {
  const near: Match[] = [];
  for (const [i, one] of a.entries())
    for (const [k, other] of b.entries()) {
      if (!one || !other || (categories && one.categoryId !== other.categoryId)) continue;
      const overlap = overlapOf(one, other);
      if (overlap >= threshold) near.push({ a: i, b: k, overlap });
    }
  return bestMatches(near);
}

/**
 * Returns the matches with the largest sum of overlaps among `near`, so that nothing is matched twice. Groups of
 * matches that share no annotation are solved one by one, since the time is cubic.
 */
export function bestMatches(near: readonly Match[]): Match[] {
  return connected(near)
    .flatMap((group) => (group.length === 1 ? group : bestOf(group)))
    .sort((one, other) => one.a - other.a);
}

function bestOf(group: readonly Match[]): Match[] {
  const rows = [...new Set(group.map(({ a }) => a))];
  const columns = [...new Set(group.map(({ b }) => b))];
  const weights = rows.map(() => columns.map(() => 0));
  const byPlace = new Map<string, Match>();
  for (const match of group) {
    const [row, column] = [rows.indexOf(match.a), columns.indexOf(match.b)];
    weights[row]![column] = match.overlap;
    byPlace.set(`${row} ${column}`, match);
  }
  return assign(weights).flatMap((column, row) => byPlace.get(`${row} ${column}`) ?? []);
}

/** Groups matches that share annotations, directly or through others. */
function connected(matches: readonly Match[]): Match[][] {
  const byA = listsBy(matches, ({ a }) => a);
  const byB = listsBy(matches, ({ b }) => b);
  const seen = new Set<Match>();
  const groups: Match[][] = [];
  for (const first of matches) {
    if (seen.has(first)) continue;
    const group = [first];
    seen.add(first);
    // The list grows while it is walked.
    for (const { a, b } of group)
      for (const next of [...byA.get(a)!, ...byB.get(b)!]) {
        if (seen.has(next)) continue;
        seen.add(next);
        group.push(next);
      }
    groups.push(group);
  }
  return groups;
}

function listsBy(matches: readonly Match[], keyOf: (match: Match) => number): Map<number, Match[]> {
  const lists = new Map<number, Match[]>();
  for (const match of matches) {
    const list = lists.get(keyOf(match));
    if (list) list.push(match);
    else lists.set(keyOf(match), [match]);
  }
  return lists;
}
