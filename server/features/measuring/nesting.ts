import type { Ring, Rings } from "../../../shared/entities/shape";
import { packRings } from "../../../shared/geometry/packed";
import { nest } from "../../../shared/geometry/polygons";
import { NeedsMeasuring } from "./measuring";
import type { Wanted } from "./question";

/** Cost, in crossings, up to which rings are sorted into polygons without a thread, which takes a few milliseconds. */
const LIGHT = 10_000;
/** Sorting takes quadratic time in the number of rings, and reads each point. */
const CROSSINGS_PER_PAIR = 1 / 8;
const CROSSINGS_PER_COORDINATE = 1;

/** Sorted polygons by list of rings, so that the same list always gives the same polygon objects. */
const sorted = new WeakMap<readonly Ring[], Rings>();

/** Sorts loose rings into polygons, see `nest`. Throws NeedsMeasuring for many rings that have not been sorted yet. */
export function nested(rings: readonly Ring[]): Rings {
  const found = sorted.get(rings);
  if (found) return found;
  if (costOf(rings) > LIGHT) throw new NeedsMeasuring([wanted(rings)]);
  const polygons = nest(rings);
  sorted.set(rings, polygons);
  return polygons;
}

/**
 * Returns the questions that a thread must answer first: none for lists that are already sorted, or if all lists
 * together take little time.
 */
export function wantedNesting(lists: readonly (readonly Ring[])[]): Wanted[] {
  if (lists.reduce((sum, rings) => sum + costOf(rings), 0) <= LIGHT) return [];
  return lists.filter((rings) => costOf(rings) > 0 && !sorted.has(rings)).map(wanted);
}

const wanted = (rings: readonly Ring[]): Wanted => ({
  question: { nest: packRings(rings.map((ring) => [ring])) },
  cost: () => costOf(rings),
  cacheAnswer: (answer) => {
    if (!("polygons" in answer)) return;
    const polygons = answer.polygons.map((polygon) => polygon.map((place) => rings[place]!));
    sorted.set(rings, polygons);
  },
});

/** Returns the cost of sorting, in crossings: 0 for a single ring, which lies in no other. */
function costOf(rings: readonly Ring[]): number {
  if (rings.length < 2) return 0;
  const coordinates = rings.reduce((sum, ring) => sum + ring.length, 0);
  return CROSSINGS_PER_PAIR * rings.length ** 2 + CROSSINGS_PER_COORDINATE * coordinates;
}
