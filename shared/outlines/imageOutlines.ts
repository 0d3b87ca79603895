import { boxRing } from "../coco/measure";
import type { Keypoint } from "../entities/keypoint";
import type { Bbox, Rings, Rle } from "../entities/shape";
import { dotPath, outlineScale, type PathPart, ringPath } from "./ringPath";
import { smallMaskRings } from "./smallMask";

/** Maximum number of annotations of an image that are outlined: the largest ones. */
export const MAX_OUTLINED = 500;
/** Maximum number of points in the outlines of an image; further annotations are drawn as boxes. */
const MAX_POINTS = 6_000;

/** An annotation whose outline is drawn. Coordinates in image pixels. */
export interface Outlined {
  category_id: number;
  /** Polygons of the shape; null if only its box is drawn. */
  rings: Rings | null;
  rle: Rle | null;
  bbox: Bbox;
  /** Drawn as points if there is no shape. */
  keypoints: readonly Keypoint[] | null;
}

/** The outlines of a category's annotations on one image, as SVG path data. */
export interface CategoryOutlines {
  category: number;
  path: string;
}

/**
 * Collects the outlines of one image for its thumbnail, simplified to half a pixel of the thumbnail. Callers add at
 * most MAX_OUTLINED annotations, the largest first; once there are too many points, the others are drawn as boxes.
 */
export class ImageOutlines {
  private readonly paths = new Map<number, string>();
  private readonly scale: number;
  private points = 0;

  /** `width` and `height` are those of the upright image, in pixels. */
  constructor(width: number, height: number) {
    this.scale = outlineScale(width, height);
  }

  add(annotation: Outlined): void {
    const parts = this.partsOf(annotation);
    const points = parts.reduce((sum, part) => sum + part.points, 0);
    const isFitting = this.points + points <= MAX_POINTS;
    const text = (isFitting ? parts : [this.boxOf(annotation.bbox)]).map((part) => part.text).join("");
    if (isFitting) this.points += points;
    if (text === "") return;
    this.paths.set(annotation.category_id, (this.paths.get(annotation.category_id) ?? "") + text);
  }

  result(): CategoryOutlines[] {
    return Array.from(this.paths, ([category, path]) => ({ category, path }));
  }

  private partsOf({ rings, rle, bbox, keypoints }: Outlined): PathPart[] {
    const shape = rle ? maskPaths(rle, this.scale) : rings && ringPaths(rings, this.scale);
    if (!shape) return [this.boxOf(bbox)];
    if (shape.length > 0) return shape;
    return (keypoints ?? []).filter(({ v }) => v > 0).map(({ x, y }) => dotPath(x, y, this.scale));
  }

  private boxOf(bbox: Bbox): PathPart {
    return ringPath(boxRing(bbox), this.scale);
  }
}

const ringPaths = (rings: Rings, scale: number): PathPart[] =>
  rings.flatMap((polygon) => polygon.map((ring, i) => ringPath(ring, scale, i > 0)));

/** Returns undefined for a mask that cannot be read: its box is drawn. */
function maskPaths(rle: Rle, scale: number): PathPart[] | undefined {
  try {
    return ringPaths(smallMaskRings(rle, scale), 1);
  } catch {
    return undefined;
  }
}
