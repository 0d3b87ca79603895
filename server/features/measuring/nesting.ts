import type { Ring, Rings } from "../../../shared/entities/shape";
import { packRings } from "../../../shared/geometry/packed";
import { nest } from "../../../shared/geometry/polygons";
import { NeedsMeasuring } from "./measuring";
import type { Wanted } from "./question";

/** Crossings of rings that are sorted into polygons at once: a few milliseconds. */
const LIGHT = 10_000;
/** Sorting takes the square of the rings' number, and looks at each point. */
const CROSSINGS_PER_PAIR = 1 / 8;
const CROSSINGS_PER_COORDINATE = 1;

/** By the very list of rings, so that the same polygons are handed out each time. */
const sorted = new WeakMap<readonly Ring[], Rings>();

/** Sorts loose rings into polygons, see `nest`. Throws NeedsMeasuring for many that were not sorted before. */
export function nested(rings: readonly Ring[]): Rings {
  const found = sorted.get(rings);
  if (found) return found;
  if (costOf(rings) > LIGHT) throw new NeedsMeasuring([wanted(rings)]);
  const polygons = nest(rings);
  sorted.set(rings, polygons);
  return polygons;
}

/**
 * Returns what a thread has to be asked first: nothing where all lists together take little time, and for those that
 * were sorted.
 */
export function wantedNesting(lists: readonly (readonly Ring[])[]): Wanted[] {
  if (lists.reduce((sum, rings) => sum + costOf(rings), 0) <= LIGHT) return [];
  return lists.filter((rings) => costOf(rings) > 0 && !sorted.has(rings)).map(wanted);
}

const wanted = (rings: readonly Ring[]): Wanted => ({
  question: { nest: packRings(rings.map((ring) => [ring])) },
  cost: () => costOf(rings),
  keep: (answer) => {
    if (!("polygons" in answer)) return;
    const polygons = answer.polygons.map((polygon) => polygon.map((place) => rings[place]!));
    sorted.set(rings, polygons);
  },
});

/** A single ring lies in no other. */
function costOf(rings: readonly Ring[]): number {
  if (rings.length < 2) return 0;
  const coordinates = rings.reduce((sum, ring) => sum + ring.length, 0);
  return CROSSINGS_PER_PAIR * rings.length ** 2 + CROSSINGS_PER_COORDINATE * coordinates;
}
