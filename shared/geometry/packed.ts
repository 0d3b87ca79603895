import type { Ring, Rings } from "../entities/shape";

/** Polygons as typed arrays, which can be transferred to and from a worker without a copy. */
export interface PackedRings {
  /** x, y, x, y, … of all rings in sequence, in image pixels. */
  coordinates: Float64Array<ArrayBuffer>;
  /** Number of coordinates of each ring. */
  ringLengths: Uint32Array<ArrayBuffer>;
  /** Number of rings of each polygon. */
  polygonLengths: Uint32Array<ArrayBuffer>;
}

export function packRings(rings: Rings): PackedRings {
  const flat = rings.flat();
  const coordinates = new Float64Array(flat.reduce((sum, ring) => sum + ring.length, 0));
  let at = 0;
  for (const ring of flat) {
    coordinates.set(ring, at);
    at += ring.length;
  }
  return {
    coordinates,
    ringLengths: Uint32Array.from(flat, (ring) => ring.length),
    polygonLengths: Uint32Array.from(rings, (polygon) => polygon.length),
  };
}

export function unpackRings({ coordinates, ringLengths, polygonLengths }: PackedRings): Rings {
  let at = 0;
  let ring = 0;
  return Array.from(polygonLengths, (count) =>
    Array.from({ length: count }, () => {
      const numbers: Ring = [];
      // Faster than Array.from, which asks the typed array's iterator for each number.
      for (const end = at + (ringLengths[ring++] ?? 0); at < end; at++) numbers.push(coordinates[at]!);
      return numbers;
    }),
  );
}

/** Returns the buffers to transfer to the other thread. */
export function buffersOf({ coordinates, ringLengths, polygonLengths }: PackedRings): ArrayBuffer[] {
  return [coordinates.buffer, ringLengths.buffer, polygonLengths.buffer];
}
