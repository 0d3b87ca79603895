/** A cell of the square: its column and row. */
export interface Cell {
  x: number;
  y: number;
}

export interface Nearest {
  /** For each cell the index of the nearest place, or -1 if all are farther than the limit. */
  place: Int16Array;
  /** For each cell the distance to it, in cells. */
  distance: Float32Array;
}

/** Largest number of passes over the square in each direction: enough unless a path winds. */
const PASSES = 3;

/**
 * Finds the nearest of some places for each cell of a square of size × size cells, up to a distance of `limit` cells.
 * A step between two cells is as long as the cells are apart, and longer by the difference of their colours (the sum
 * over the three planes) times `colourWeight`: a place is near to what looks like it, and far from what lies beyond a
 * border. `colours` has three planes.
 *
 * Method: geodesic distance by passes over the image (Toivanen 1996, "New geodesic distance transforms for gray-scale
 * images"), as used for strokes by Criminisi, Sharp and Blake 2008, "GeoS: Geodesic Image Segmentation".
 */
export function nearestPlaces(
  places: readonly Cell[],
  colours: Float32Array,
  size: number,
  { limit, colourWeight }: { limit: number; colourWeight: number },
): Nearest {
  const area = size * size;
  const distance = new Float32Array(area).fill(Number.POSITIVE_INFINITY);
  const place = new Int16Array(area).fill(-1);
  places.forEach(({ x, y }, n) => {
    distance[y * size + x] = 0;
    place[y * size + x] = n;
  });
  let isChanged = true;
  const step = (from: number, to: number, length: number) => {
    const here = distance[from]!;
    if (here >= limit || here >= distance[to]!) return;
    const difference =
      Math.abs(colours[from]! - colours[to]!) +
      Math.abs(colours[from + area]! - colours[to + area]!) +
      Math.abs(colours[from + 2 * area]! - colours[to + 2 * area]!);
    const reached = here + length * (1 + colourWeight * difference);
    if (reached >= distance[to]! || reached > limit) return;
    distance[to] = reached;
    place[to] = place[from]!;
    isChanged = true;
  };
  /** Goes to each cell of a row from its neighbours in the row before (`by` 1) or behind (-1), and beside it. */
  const pass = (y: number, by: 1 | -1) => {
    const hasRow = by === 1 ? y > 0 : y < size - 1;
    for (let n = 0; n < size; n++) {
      const i = y * size + (by === 1 ? n : size - 1 - n);
      if (n > 0) step(i - by, i, 1);
      if (!hasRow) continue;
      const across = i - by * size;
      step(across, i, 1);
      if (n > 0) step(across - by, i, Math.SQRT2);
      if (n < size - 1) step(across + by, i, Math.SQRT2);
    }
  };
  for (let n = 0; n < PASSES && isChanged; n++) {
    isChanged = false;
    for (let y = 0; y < size; y++) pass(y, 1);
    for (let y = size - 1; y >= 0; y--) pass(y, -1);
  }
  return { place, distance };
}
