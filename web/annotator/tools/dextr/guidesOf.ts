import { DEXTR } from "../../../../shared/constants";
import type { Guides } from "../../canvas/hand/guides";
import type { Box } from "../../canvas/shapes/shapes";
import type { Point } from "../../canvas/view/view";
import type { Clicks } from "./Clicks";

interface Look {
  /** Position of the pointer, to which the box reaches until all points are set. */
  pointer: Point | null;
  /** In image pixels. */
  padding: number;
  /** The outline is there to be looked at: no boxes. */
  isFound: boolean;
  /** It is in the annotation, where undo takes it back. */
  isPlaced: boolean;
}

/** Returns the guides for the clicks; null if there are none. */
export function guidesOf(clicks: Clicks, { pointer, padding, isFound, isPlaced }: Look): Guides | null {
  if (clicks.count === 0) return null;
  const isBoxed = clicks.count <= DEXTR.points && !isFound;
  const box = isBoxed ? clicks.boxWith(clicks.isWhole ? null : pointer) : null;
  return { points: clicks.all, box, reach: box && padded(box, padding), isUnfinished: !(isFound && isPlaced) };
}

function padded({ minX, minY, maxX, maxY }: Box, by: number): Box {
  return { minX: minX - by, minY: minY - by, maxX: maxX + by, maxY: maxY + by };
}
