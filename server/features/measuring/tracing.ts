import type { Rings, Rle } from "../../../shared/entities/shape";
import { type PackedRings, unpackRings } from "../../../shared/geometry/packed";
import { keyOf, NeedsMeasuring } from "./measuring";
import { outlineOf } from "./outlineOf";
import type { Wanted } from "./question";

/** Number of runs, or characters, up to which masks are traced without a thread. */
const LIGHT = 5_000;
const CROSSINGS_PER_COUNT = 25;
/** Number of coordinates that may be cached: 64 MB. */
const MAX_CACHED = 8_000_000;

/** Cached outlines by the content of their masks. */
const cache = new Map<string, PackedRings | null>();
let cachedCoordinates = 0;

/**
 * Returns the outline of a mask along its pixel edges, or null if it has more corners than an annotation may have.
 * Throws NeedsMeasuring for a long mask that has not been traced yet.
 */
export function traced(rle: Rle): Rings | null {
  const outline = cache.get(keyOf({ rle }));
  if (outline !== undefined) return outline && unpackRings(outline);
  if (rle.counts.length > LIGHT) throw new NeedsMeasuring([wantedOutline(rle)]);
  return outlineOf(rle);
}

/**
 * Prepares to trace many masks that are long in total. Throws NeedsMeasuring for those that have not been traced yet.
 */
export function traceTogether(masks: readonly Rle[]): void {
  if (masks.reduce((sum, { counts }) => sum + counts.length, 0) <= LIGHT) return;
  const missing = masks.filter((rle) => !cache.has(keyOf({ rle })));
  if (missing.length > 0) throw new NeedsMeasuring(missing.map(wantedOutline));
}

const wantedOutline = (rle: Rle): Wanted => ({
  question: { trace: rle },
  cost: () => CROSSINGS_PER_COUNT * rle.counts.length,
  cacheAnswer: (answer) => "outline" in answer && store(keyOf({ rle }), answer.outline),
});

function store(key: string, outline: PackedRings | null): void {
  cachedCoordinates += lengthOf(outline) - lengthOf(cache.get(key));
  cache.set(key, outline);
  for (const [oldest, each] of cache) {
    if (cachedCoordinates <= MAX_CACHED || oldest === key) return;
    cache.delete(oldest);
    cachedCoordinates -= lengthOf(each);
  }
}

/** Returns the size that an entry counts for. Entries without coordinates take memory too. */
const lengthOf = (outline: PackedRings | null | undefined): number =>
  outline === undefined ? 0 : 100 + (outline?.coordinates.length ?? 0);
