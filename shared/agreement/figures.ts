import type { ComparedImage } from "./compared";
import { extentsOf, matchExtents } from "./match";

/**
 * Numbers of objects of two users: found by both, and by only one of them. Sums of these are figures of many images.
 */
export interface Counts {
  matched: number;
  only_a: number;
  only_b: number;
  /** Sum of the overlaps of the matched pairs. */
  overlap: number;
}

/** Comparison of the annotations of two users on an image. Plain data that can be stored. */
export interface Comparison {
  /** By category. An object counts as found by both only if both gave it the same category. */
  categories: (Counts & { category_id: number })[];
  /** Categories of the objects that both have found, whatever their categories. */
  confusion: { a: number; b: number; count: number }[];
}

/** Compares what two users have drawn on an image. */
export function compareImages(imageOfA: ComparedImage, imageOfB: ComparedImage): Comparison {
  const [a, b] = [extentsOf(imageOfA), extentsOf(imageOfB)];
  const counts = new Map<number, Counts>();
  const of = (category: number) => {
    const known = counts.get(category) ?? NO_COUNTS();
    counts.set(category, known);
    return known;
  };
  for (const each of a) if (each) of(each.categoryId).only_a++;
  for (const each of b) if (each) of(each.categoryId).only_b++;
  for (const match of matchExtents(a, b, { categories: true })) {
    const category = of(a[match.a]!.categoryId);
    category.matched++;
    category.only_a--;
    category.only_b--;
    category.overlap += match.overlap;
  }
  const pairs = matchExtents(a, b, { categories: false }).map((match) => ({
    a: a[match.a]!.categoryId,
    b: b[match.b]!.categoryId,
    count: 1,
  }));
  return {
    categories: [...counts]
      .sort(([one], [other]) => one - other)
      .map(([category_id, each]) => ({ category_id, ...each })),
    confusion: addConfusion(pairs),
  };
}

const NO_COUNTS = (): Counts => ({ matched: 0, only_a: 0, only_b: 0, overlap: 0 });

/** Returns the same comparison with the users exchanged. */
export const exchanged = ({ categories, confusion }: Comparison): Comparison => ({
  categories: categories.map(({ only_a, only_b, ...rest }) => ({ ...rest, only_a: only_b, only_b: only_a })),
  confusion: confusion.map(({ a, b, count }) => ({ a: b, b: a, count })),
});

/** Adds comparisons of several images or pairs of users. */
export function addComparisons(list: readonly Comparison[]): Comparison {
  const byCategory = new Map<number, Counts>();
  for (const { category_id, ...counts } of list.flatMap(({ categories }) => categories))
    byCategory.set(category_id, addCounts([byCategory.get(category_id) ?? NO_COUNTS(), counts]));
  return {
    categories: [...byCategory]
      .sort(([one], [other]) => one - other)
      .map(([category_id, counts]) => ({ category_id, ...counts })),
    confusion: addConfusion(list.flatMap(({ confusion }) => confusion)),
  };
}

function addConfusion(list: Comparison["confusion"]): Comparison["confusion"] {
  const sums = new Map<string, Comparison["confusion"][number]>();
  for (const { a, b, count } of list) {
    const known = sums.get(`${a} ${b}`);
    sums.set(`${a} ${b}`, { a, b, count: count + (known?.count ?? 0) });
  }
  return [...sums.values()].sort((one, other) => one.a - other.a || one.b - other.b);
}

/** Adds counts, such as those of all categories. */
export function addCounts(list: readonly Counts[]): Counts {
  const sum = NO_COUNTS();
  for (const { matched, only_a, only_b, overlap } of list) {
    sum.matched += matched;
    sum.only_a += only_a;
    sum.only_b += only_b;
    sum.overlap += overlap;
  }
  return sum;
}

/** Figures from 0 to 1; null if there is nothing to divide by. */
export interface Agreement {
  /** Share of A's objects that B has too, and of B's that A has: precision and recall of A if B is the truth. */
  precision: number | null;
  recall: number | null;
  /** Harmonic mean of both, which is 2 matched / (2 matched + only A + only B): Dice, 1945; van Rijsbergen, 1979. */
  f1: number | null;
  /** Mean overlap of the objects that both have found. */
  overlap: number | null;
  /** Panoptic quality: overlap x f1 (Kirillov et al., 2019). */
  quality: number | null;
}

export function agreementOf({ matched, only_a, only_b, overlap }: Counts): Agreement {
  const all = 2 * matched + only_a + only_b;
  return {
    precision: share(matched, matched + only_a),
    recall: share(matched, matched + only_b),
    f1: share(2 * matched, all),
    overlap: share(overlap, matched),
    quality: share(2 * overlap, all),
  };
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/**
 * Returns Cohen's kappa (1960) of the categories that two users gave to the objects that both have found: the share of
 * equal categories beyond what chance gives. Null without such objects, and if both gave all of them one same category.
 */
export function kappaOf(confusion: Comparison["confusion"]): number | null {
  const ofA = new Map<number, number>();
  const ofB = new Map<number, number>();
  let total = 0;
  let equal = 0;
  for (const { a, b, count } of confusion) {
    ofA.set(a, (ofA.get(a) ?? 0) + count);
    ofB.set(b, (ofB.get(b) ?? 0) + count);
    total += count;
    if (a === b) equal += count;
  }
  let byChance = 0;
  for (const [category, count] of ofA) byChance += count * (ofB.get(category) ?? 0);
  const [observed, expected] = [equal / total, byChance / total ** 2];
  return total === 0 || expected === 1 ? null : (observed - expected) / (1 - expected);
}

/** Returns the mean of the figures that are there; null if there is none. */
export function meanFigure(figures: readonly (number | null)[]): number | null {
  const known = figures.filter((figure) => figure !== null);
  return share(
    known.reduce((sum, figure) => sum + figure, 0),
    known.length,
  );
}
