import type { Ring, Rings } from "../../../shared/entities/shape";
import { packRings } from "../../../shared/geometry/packed";
import { nest } from "../../../shared/geometry/polygons";
import { NeedsMeasuring } from "./measuring";
import type { Wanted } from "./question";

/** Rings that are sorted into polygons at once: a millisecond. It takes the square of their number. */
const LIGHT = 200;
const CROSSINGS_PER_PAIR = 1 / 8;

/** By the very list of rings. */
const sorted = new WeakMap<readonly Ring[], number[][]>();

/** Sorts loose rings into polygons, see `nest`. Throws NeedsMeasuring for many that were not sorted before. */
export function nested(rings: readonly Ring[]): Rings {
  if (rings.length <= LIGHT) return nest(rings);
  const places = sorted.get(rings);
  if (!places) throw new NeedsMeasuring(wantedNesting(rings));
  return places.map((polygon) => polygon.map((place) => rings[place]!));
}

/** Returns what a thread has to be asked first: nothing for few rings, and for those that were sorted. */
export function wantedNesting(rings: readonly Ring[]): Wanted[] {
  if (rings.length <= LIGHT || sorted.has(rings)) return [];
  const keep: Wanted["keep"] = (answer) => {
    if ("polygons" in answer) sorted.set(rings, answer.polygons);
  };
  const question = { nest: packRings(rings.map((ring) => [ring])) };
  return [{ question, cost: CROSSINGS_PER_PAIR * rings.length ** 2, keep }];
}
