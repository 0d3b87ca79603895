import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings } from "../../../shared/entities/shape";
import { signedArea } from "../../../shared/geometry/ring";

const areas = new WeakMap<Rings, number>();

/**
 * Returns the area of an annotation's shape as it is now, in square pixels. `area` of an annotation is what the server
 * measured when the image was opened: 0 if the shape was drawn since.
 */
export function shapeArea({ rings, area }: Pick<Annotation, "rings" | "area">): number {
  if (rings === null) return area;
  const known = areas.get(rings);
  if (known !== undefined) return known;
  const sum = rings.reduce((total, polygon) => total + polygonArea(polygon), 0);
  areas.set(rings, sum);
  return sum;
}

/** Returns the area of an outline without its holes. */
const polygonArea = ([outline = [], ...holes]: Rings[number]): number =>
  holes.reduce((left, hole) => left - Math.abs(signedArea(hole)), Math.abs(signedArea(outline)));
