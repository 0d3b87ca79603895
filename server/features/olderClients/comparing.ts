import type { Ring, Rings } from "../../../shared/entities/shape";
import { packRings } from "../../../shared/geometry/packed";
import { digestOfRings, NeedsMeasuring } from "../measuring/measuring";
import type { Wanted } from "../measuring/question";
import { isReturnedShape, MOST_POINTS } from "../measuring/returned";

/** Outlines that a page returned, and those that it may have been sent. Sides in pixels. */
export interface Comparison {
  /** The very list that is asked about again. */
  paths: readonly Ring[];
  sent: Rings;
  size: { width: number; height: number };
}

/** Microseconds of comparisons that are made at once. */
const LIGHT = 20_000;
const MICROSECONDS_PER_POINT = 2;
/** Simplifying may take the square of a ring's points. */
const SQUARE_PER_MICROSECOND = 250;

const known = new WeakMap<readonly Ring[], Map<string, boolean>>();

/** See `isReturnedShape`. Throws NeedsMeasuring for long outlines that were not compared before. */
export function isReturned(comparison: Comparison): boolean {
  const { paths, sent, size } = comparison;
  const found = known.get(paths)?.get(keyOf(comparison));
  if (found !== undefined) return found;
  if (costOf(comparison) > LIGHT) throw new NeedsMeasuring([wanted(comparison)]);
  return isReturnedShape(paths, sent, size);
}

/** Returns what a thread has to be asked first: nothing where all comparisons together take little time, or are made. */
export function wantedComparisons(comparisons: readonly Comparison[]): Wanted[] {
  if (comparisons.reduce((sum, each) => sum + costOf(each), 0) <= LIGHT) return [];
  const missing = new Map<string, Comparison>();
  for (const each of comparisons) {
    const key = keyOf(each);
    if (!known.get(each.paths)?.has(key)) missing.set(`${placeOf(each.paths)} ${key}`, each);
  }
  return [...missing.values()].map(wanted);
}

const places = new WeakMap<object, number>();
let lastPlace = 0;

/** A number for the list itself: several pages were sent the same outline. */
function placeOf(list: object): number {
  const place = places.get(list) ?? ++lastPlace;
  places.set(list, place);
  return place;
}

function wanted(comparison: Comparison): Wanted {
  const { paths, sent, size } = comparison;
  return {
    question: { compare: { paths: packRings(paths.map((path) => [path])), sent: packRings(sent), ...size } },
    cost: () => costOf(comparison),
    keep: (answer) => {
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
      cost += MICROSECONDS_PER_POINT * points + (points <= MOST_POINTS ? points ** 2 / SQUARE_PER_MICROSECOND : 0);
    }
  return cost;
}

function keyOf({ sent, size }: Comparison): string {
  return `${size.width} ${size.height} ${digestOfRings(sent)}`;
}
