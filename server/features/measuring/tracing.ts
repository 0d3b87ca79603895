import type { Rings, Rle } from "../../../shared/entities/shape";
import { type PackedRings, unpackRings } from "../../../shared/geometry/packed";
import { keyOf, NeedsMeasuring } from "./measuring";
import { outlineOf } from "./outlineOf";
import type { Wanted } from "./question";

/** Runs, or characters, of masks that are traced at once. */
const LIGHT = 5_000;
const CROSSINGS_PER_COUNT = 25;
/** Coordinates of outlines that are kept, by their masks' content: 64 MB. */
const KEPT = 8_000_000;

const kept = new Map<string, PackedRings | null>();
let keptCoordinates = 0;

/**
 * Returns the outline of a mask along its pixel edges, null where it has more corners than any annotation may have.
 * Throws NeedsMeasuring for a long one that was not traced before.
 */
export function traced(rle: Rle): Rings | null {
  const outline = kept.get(keyOf({ rle }));
  if (outline !== undefined) return outline && unpackRings(outline);
  if (rle.counts.length > LIGHT) throw new NeedsMeasuring([wantedOutline(rle)]);
  return outlineOf(rle);
}

/** Has all masks traced that are long together, before the first is asked for. Throws NeedsMeasuring for those that are not. */
export function traceTogether(masks: readonly Rle[]): void {
  if (masks.reduce((sum, { counts }) => sum + counts.length, 0) <= LIGHT) return;
  const missing = masks.filter((rle) => !kept.has(keyOf({ rle })));
  if (missing.length > 0) throw new NeedsMeasuring(missing.map(wantedOutline));
}

const wantedOutline = (rle: Rle): Wanted => ({
  question: { trace: rle },
  cost: () => CROSSINGS_PER_COUNT * rle.counts.length,
  keep: (answer) => "outline" in answer && keep(keyOf({ rle }), answer.outline),
});

function keep(key: string, outline: PackedRings | null): void {
  keptCoordinates += lengthOf(outline) - lengthOf(kept.get(key));
  kept.set(key, outline);
  for (const [oldest, each] of kept) {
    if (keptCoordinates <= KEPT || oldest === key) return;
    kept.delete(oldest);
    keptCoordinates -= lengthOf(each);
  }
}

/** An empty one takes room as well. */
const lengthOf = (outline: PackedRings | null | undefined): number =>
  outline === undefined ? 0 : 100 + (outline?.coordinates.length ?? 0);
