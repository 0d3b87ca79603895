import type { Ring } from "../entities/shape";
import { FormatError, numberOf } from "./formatError";

/**
 * Outlines in Pascal VOC files. The format itself has none. Tools write them in two ways, both as a `polygon` of an
 * object: as numbered points (`x1`, `y1`, `x2`, …: Roboflow, X-AnyLabeling, DroneVehicle, ModelArts), which count
 * pixels from 1 as boxes do, or as LabelMe's list of `pt` with an `x` and a `y` each, which count from 0.
 */

type Node = Readonly<Record<string, unknown>>;

/** Width and height of an image as stated in the file, in pixels. Nothing is clipped at an unknown width or height. */
export interface KnownSize {
  width: number | undefined;
  height: number | undefined;
}

/** Returns the pieces of an object's outline in pixels, from 0. Pieces of fewer than three points are left out. */
export function readOutline(polygons: readonly unknown[], size: KnownSize): Ring[] {
  return polygons.map((polygon) => readRing(polygon, size)).filter((ring) => ring.length >= 6);
}

function readRing(polygon: unknown, size: KnownSize): Ring {
  if (typeof polygon !== "object" || polygon === null) return [];
  const { pt } = polygon as Node;
  return Array.isArray(pt) ? pt.flatMap(pointOf) : numbered(polygon as Node, size);
}

const pointOf = (pt: unknown): number[] => {
  const { x, y } = (typeof pt === "object" && pt !== null ? pt : {}) as Node;
  return [coordinate(x), coordinate(y)];
};

/** Returns the points in the order of their numbers, which may differ from that in the file. */
function numbered(polygon: Node, { width = 1e7, height = 1e7 }: KnownSize): Ring {
  const numbers = Object.keys(polygon).flatMap((key) => (/^[xy]\d{1,7}$/.test(key) ? [Number(key.slice(1))] : []));
  return [...new Set(numbers)]
    .sort((a, b) => a - b)
    .flatMap((n) => [
      withoutRim(coordinate(polygon[`x${n}`]) - 1, width),
      withoutRim(coordinate(polygon[`y${n}`]) - 1, height),
    ]);
}

const coordinate = (value: unknown): number => {
  if (typeof value !== "string") throw new FormatError("has an outline point without x or y");
  return numberOf(value.trim());
};

/**
 * Clips a coordinate that is up to one pixel beyond the border, as for boxes: some tools count from 0. Coordinates
 * farther outside stay.
 */
function withoutRim(value: number, side: number): number {
  if (value < 0 && value >= -1) return 0;
  return value > side && value <= side + 1 ? side : value;
}
