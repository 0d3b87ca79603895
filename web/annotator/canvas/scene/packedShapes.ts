import type { Painted } from "../shapes/paint";
import type { Box, Shape } from "../shapes/shapes";

/**
 * Shapes packed for the painting worker: arrays of numbers, which are transferred to the worker, and few objects,
 * because the browser copies each object. Single precision of coordinates is far finer than a screen pixel.
 */
export interface PackedShapes {
  /** Uuids of the shapes, separated by spaces. */
  uuids: string;
  /** minX, minY, maxX, maxY of each shape. */
  boxes: Float64Array<ArrayBuffer>;
  /** The distinct colours. `colorIndices` has an index into this list for each shape. */
  colors: string[];
  colorIndices: Uint32Array<ArrayBuffer>;
  layers: Float64Array<ArrayBuffer>;
  /** 1 for marked shapes. */
  marks: Uint8Array<ArrayBuffer>;
  /** Keypoints and edges of the shapes that have some, by index. */
  skeletons: Map<number, Pick<Shape, "dots" | "lines">>;
  /** Number of polygons of each shape. */
  polygonCounts: Uint32Array<ArrayBuffer>;
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
    ...packProperties(shapes),
    polygonCounts: Uint32Array.from(shapes, (shape) => shape.rings.length),
    coordinates,
    ringLengths: Uint32Array.from(rings, (ring) => ring.length),
    polygonLengths: Uint32Array.from(polygons, (polygon) => polygon.length),
  };
}

function packProperties(shapes: readonly Shape[]) {
  const boxes = new Float64Array(4 * shapes.length);
  const indexOf = new Map<string, number>();
  const skeletons: PackedShapes["skeletons"] = new Map();
  const colorIndices = new Uint32Array(shapes.length);
  for (const [i, { minX, minY, maxX, maxY, color, dots, lines }] of shapes.entries()) {
    boxes.set([minX, minY, maxX, maxY], 4 * i);
    const index = indexOf.get(color) ?? indexOf.size;
    indexOf.set(color, index);
    colorIndices[i] = index;
    if (dots.length + lines.length > 0) skeletons.set(i, { dots, lines });
  }
  return {
    uuids: shapes.map(({ uuid }) => uuid).join(" "),
    boxes,
    colors: [...indexOf.keys()],
    colorIndices,
    layers: Float64Array.from(shapes, ({ layer = 0 }) => layer),
    marks: Uint8Array.from(shapes, ({ isMarked = false }) => Number(isMarked)),
    skeletons,
  };
}

/** Returns the buffers to transfer to the other thread. */
export function buffersOf(packed: PackedShapes): ArrayBuffer[] {
  const { boxes, colorIndices, layers, marks, polygonCounts, coordinates, ringLengths, polygonLengths } = packed;
  const arrays = [boxes, colorIndices, layers, marks, polygonCounts, coordinates, ringLengths, polygonLengths];
  return arrays.map(({ buffer }) => buffer);
}

const NO_SKELETON: Pick<Shape, "dots" | "lines"> = { dots: [], lines: [] };

/** Unpacks the shapes. Their rings are views into the packed buffers. */
export function unpackShapes(packed: PackedShapes): PaintedShape[] {
  const { boxes, colors, colorIndices, layers, marks, skeletons } = packed;
  const uuids = packed.uuids.split(" ");
  const nextRings = ringsIn(packed);
  return Array.from(packed.polygonCounts, (count, i) => {
    const { dots, lines } = skeletons.get(i) ?? NO_SKELETON;
    return {
      minX: boxes[4 * i]!,
      minY: boxes[4 * i + 1]!,
      maxX: boxes[4 * i + 2]!,
      maxY: boxes[4 * i + 3]!,
      uuid: uuids[i]!,
      color: colors[colorIndices[i]!]!,
      layer: layers[i]!,
      isMarked: marks[i] === 1,
      dots,
      lines,
      rings: nextRings(count),
    };
  });
}

/** Returns a function that returns the rings of the next `count` polygons. */
function ringsIn({ coordinates, ringLengths, polygonLengths }: PackedShapes) {
  let at = 0;
  let ring = 0;
  let polygon = 0;
  const nextRing = () => {
    const from = at;
    at += ringLengths[ring++]!;
    return coordinates.subarray(from, at);
  };
  const nextPolygon = () => Array.from({ length: polygonLengths[polygon++]! }, nextRing);
  return (count: number) => Array.from({ length: count }, nextPolygon);
}
