import { DEXTR } from "../../../../shared/constants";
import type { Guides } from "../../canvas/active/guides";
import type { Box } from "../../canvas/shapes/shapes";
import type { Point } from "../../canvas/view/view";
import type { Clicks } from "./Clicks";

interface GuideOptions {
  /** Position of the pointer; the box includes it until all points are set. */
  pointer: Point | null;
  /** In image pixels. */
  padding: number;
  /** True if an outline is shown, so that no boxes are needed. */
  isFound: boolean;
  /** True if the outline has been united with the annotation or cut out of it. */
  isPlaced: boolean;
}

/** Returns the guides for the clicks; null without clicks. */
export function guidesOf(clicks: Clicks, { pointer, padding, isFound, isPlaced }: GuideOptions): Guides | null {
  if (clicks.count === 0) return null;
  const isBoxed = clicks.count <= DEXTR.points && !isFound;
  const box = isBoxed ? clicks.boxWith(clicks.isComplete ? null : pointer) : null;
  const isUnfinished = !(isFound && isPlaced) || clicks.isCorrectedLast;
  const corrections = clicks.corrections.map(({ x, y, kind }) => ({ x, y, isAdded: kind === "add" }));
  return { points: clicks.border, corrections, box, padded: box && padded(box, padding), isUnfinished };
}

function padded({ minX, minY, maxX, maxY }: Box, by: number): Box {
  return { minX: minX - by, minY: minY - by, maxX: maxX + by, maxY: maxY + by };
}
