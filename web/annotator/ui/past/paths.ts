import { boxRing } from "../../../../shared/coco/measure";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Rings } from "../../../../shared/entities/shape";

/** Returns an annotation's outline as path data in image pixels; the box of a mask, and keypoints as dots. */
export function pathOf(annotation: Annotation, rings?: Rings): string {
  const { bbox, keypoints } = annotation;
  const box = bbox[2] > 0 && bbox[3] > 0 ? [[boxRing(bbox)]] : [];
  const outline = rings ?? annotation.rings ?? box;
  const dots = (keypoints ?? []).filter(({ v }) => v > 0).map(({ x, y }) => `M${x} ${y}h0`);
  return [...outline.flat().map(ringPath), ...dots].join("");
}

function ringPath(ring: readonly number[]): string {
  const points: string[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) points.push(`${ring[i]} ${ring[i + 1]}`);
  return points.length > 0 ? `M${points.join("L")}Z` : "";
}
