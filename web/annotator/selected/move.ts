import type { AnnotationChange, AnnotationEdit } from "../../../shared/edits/edit";
import { modification } from "../../../shared/edits/make";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings } from "../../../shared/entities/shape";
import { translateRings } from "../../../shared/geometry/polygons";
import { uuid } from "../../io/uuid";
import { around, type Box, boxOf } from "../canvas/shapes/shapes";
import type { Point, Size } from "../canvas/view/view";
import { isBoxOnly } from "../document/outlines";
import { movedKeypoints } from "../keypoints/model/points";

/** An annotation when the move began, with the rings that it was displayed with. */
interface Moved {
  seen: Annotation;
  rings: Rings;
}

/** Annotations that are moved together, with their keypoints. Coordinates in image pixels. */
export class MovedAnnotations {
  private readonly moved: readonly Moved[];
  private readonly box: Box | null;
  /** Number of annotations that cannot be moved yet, because their mask is still being traced. */
  readonly untraced: number;

  constructor(
    annotations: readonly Annotation[],
    ringsOf: (annotation: Annotation) => Rings,
    private readonly image: Size,
  ) {
    const all = annotations.map((seen) => ({ seen, rings: ringsOf(seen) }));
    this.moved = all.filter(({ seen, rings }) => rings.length > 0 || (seen.keypoints?.length ?? 0) > 0);
    this.untraced = all.filter(({ seen, rings }) => !seen.rings && seen.rle && rings.length === 0).length;
    const boxes = this.moved.map(({ seen, rings }) => boxOf(rings, seen.keypoints?.filter(({ v }) => v > 0) ?? []));
    this.box = boxes.reduce(around, null);
  }

  /** The annotations when the move began. */
  get seen(): Annotation[] {
    return this.moved.map(({ seen }) => seen);
  }

  get uuids(): string[] {
    return this.seen.map(({ uuid: target }) => target);
  }

  /** Returns the distance limited so that the annotations stay on the image, unless they already extend beyond it. */
  limited(by: Point): Point {
    return limitedDistance(by, this.box, this.image);
  }

  /**
   * Returns the edits that move the annotations that still exist. `now` returns the current annotation. If another user
   * has changed it since the move began, the edit becomes a conflict.
   */
  edits(by: Point, now: (uuid: string) => Annotation | null): AnnotationEdit[] {
    return this.moved.flatMap(({ seen, rings }) => {
      const current = now(seen.uuid);
      if (!current) return [];
      const isSame = current.rings === seen.rings && current.rle === seen.rle && current.keypoints === seen.keypoints;
      return modification(uuid(), isSame ? current : seen, changeOf(seen, rings, by)) ?? [];
    });
  }
}

/** Returns a distance limited so that a box stays on the image, unless the box already extends beyond it. */
export function limitedDistance({ x, y }: Point, box: Box | null, { width, height }: Size): Point {
  if (!box || box.minX < 0 || box.minY < 0 || box.maxX > width || box.maxY > height) return { x, y };
  return {
    x: Math.min(Math.max(x, -box.minX), width - box.maxX),
    y: Math.min(Math.max(y, -box.minY), height - box.maxY),
  };
}

function changeOf(seen: Annotation, rings: Rings, by: Point): AnnotationChange {
  const isbbox = seen.isbbox || isBoxOnly(seen);
  return {
    ...(rings.length > 0 && { rings: translateRings(rings, by.x, by.y), isbbox }),
    ...(seen.keypoints?.length && { keypoints: movedKeypoints(seen.keypoints, by) }),
  };
}
