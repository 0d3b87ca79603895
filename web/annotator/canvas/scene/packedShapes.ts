import type { Painted } from "../shapes/paint";
import type { Box, Shape } from "../shapes/shapes";

/** Shapes packed for the painting worker. Single precision is far finer than a screen pixel. */
export interface PackedShapes {
  about: (Omit<Shape, "rings"> & { polygons: number })[];
  /** Concatenated x, y, … of all rings, in image pixels. */
  coordinates: Float32Array<ArrayBuffer>;
  ringLengths: Uint32Array<ArrayBuffer>;
  polygonLengths: Uint32Array<ArrayBuffer>;
}

export type PaintedShape = Painted & Box & { uuid: string; layer?: number };

export function packShapes(shapes: readonly Shape[]): PackedShapes {
  const polygons = shapes.flatMap(({ rings }) => rings);
  const rings = polygons.flat();
  const coordinates = new Float32Array(rings.reduce((sum, ring) => sum + ring.length, 0));
  let at = 0;
  for (const ring of rings) {
    coordinates.set(ring, at);
    at += ring.length;
  }
  return {
    about: shapes.map(({ rings, ...about }) => ({ ...about, polygons: rings.length })),
    coordinates,
    ringLengths: Uint32Array.from(rings, (ring) => ring.length),
    polygonLengths: Uint32Array.from(polygons, (polygon) => polygon.length),
  };
}

/** Returns the buffers to transfer to the other thread. */
export function buffersOf({ coordinates, ringLengths, polygonLengths }: PackedShapes): ArrayBuffer[] {
  return [coordinates.buffer, ringLengths.buffer, polygonLengths.buffer];
}

/** Unpacks the shapes. Their rings are views into the packed buffers. */
export function unpackShapes({ about, coordinates, ringLengths, polygonLengths }: PackedShapes): PaintedShape[] {
  let at = 0;
  let ring = 0;
  let polygon = 0;
  const nextRing = () => {
    const from = at;
    at += ringLengths[ring++]!;
    return coordinates.subarray(from, at);
  };
  return about.map(({ polygons, ...shape }) => ({
    ...shape,
    rings: Array.from({ length: polygons }, () => Array.from({ length: polygonLengths[polygon++]! }, nextRing)),
  }));
}
