import type { Ring, Rings } from "../../../shared/entities/shape";
import { packRings } from "../../../shared/geometry/packed";
import { digestOfRings, NeedsMeasuring } from "../measuring/measuring";
import type { Wanted } from "../measuring/question";
import { isReturnedShape, MAX_SIMPLIFIED_POINTS } from "../measuring/returned";

/** Outlines that a page returned, and outlines that the page may have received. `size` is in pixels. */
export interface Comparison {
  /** Results are cached by the identity of this list. */
  paths: readonly Ring[];
  sent: Rings;
  size: { width: number; height: number };
}

/** Estimated duration, in microseconds, up to which comparisons run on the main thread. */
const LIGHT = 20_000;
const MICROSECONDS_PER_POINT = 2;
/** Simplifying a ring may take time quadratic in its number of points. */
const SQUARE_PER_MICROSECOND = 250;

const known = new WeakMap<readonly Ring[], Map<string, boolean>>();

/**
 * Compares outlines with `isReturnedShape`. Throws NeedsMeasuring for long outlines that have not been compared yet.
 */
export function isReturned(comparison: Comparison): boolean {
  const { paths, sent, size } = comparison;
  const found = known.get(paths)?.get(keyOf(comparison));
  if (found !== undefined) return found;
  if (costOf(comparison) > LIGHT) throw new NeedsMeasuring([wanted(comparison)]);
  return isReturnedShape(paths, sent, size);
}

/**
 * Returns the comparisons that a thread must make first: none if all comparisons together are fast, or all are cached.
 */
export function wantedComparisons(comparisons: readonly Comparison[]): Wanted[] {
  if (comparisons.reduce((sum, each) => sum + costOf(each), 0) <= LIGHT) return [];
  const missing = new Map<string, Comparison>();
  for (const each of comparisons) {
    const key = keyOf(each);
    if (!known.get(each.paths)?.has(key)) missing.set(`${listIdOf(each.paths)} ${key}`, each);
  }
  return [...missing.values()].map(wanted);
}

const listIds = new WeakMap<object, number>();
let lastListId = 0;

/** Returns a number for a list's identity, since equal outlines may have been sent to several pages. */
function listIdOf(list: object): number {
  const id = listIds.get(list) ?? ++lastListId;
  listIds.set(list, id);
  return id;
}

function wanted(comparison: Comparison): Wanted {
  const { paths, sent, size } = comparison;
  return {
    question: { compare: { paths: packRings(paths.map((path) => [path])), sent: packRings(sent), ...size } },
    cost: () => costOf(comparison),
    cacheAnswer: (answer) => {
      if (!("isReturned" in answer)) return;
      const answers = known.get(paths) ?? new Map<string, boolean>();
      known.set(paths, answers.set(keyOf(comparison), answer.isReturned));
    },
  };
}

function costOf({ paths, sent }: Comparison): number {
  let cost = 0;
  for (const path of paths) cost += path.length;
  for (const polygon of sent)
    for (const ring of polygon) {
      const points = ring.length / 2;
      cost +=
        MICROSECONDS_PER_POINT * points + (points <= MAX_SIMPLIFIED_POINTS ? points ** 2 / SQUARE_PER_MICROSECOND : 0);
    }
  return cost;
}

function keyOf({ sent, size }: Comparison): string {
  return `${size.width} ${size.height} ${digestOfRings(sent)}`;
}
