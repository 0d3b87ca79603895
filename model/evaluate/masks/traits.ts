import type { Bitmap } from "./bitmap";

/** Distance from the border within which errors are counted, in pixels across and down. */
const BAND = 2;
/** Least area of a piece or a hole, as a share of the object's. */
const LEAST = 0.01;

/** Returns the share of wrong pixels among those within 2 pixels of the mask's border, without the ignored ones. */
export function borderError(found: Bitmap, mask: Bitmap, ignored: Bitmap | null): number {
  const { width, data } = mask;
  const [most, least] = [spread(mask, 1), spread(mask, 0)];
  let [wrong, all] = [0, 0];
  for (let i = 0; i < width * mask.height; i++) {
    if (!most[i] || least[i] || ignored?.data[i]) continue;
    all++;
    if (found.data[i] !== data[i]) wrong++;
  }
  return all === 0 ? 0 : wrong / all;
}

/** Returns the bits after each pixel of the given value has spread by BAND pixels. */
function spread({ width, height, data }: Bitmap, value: 0 | 1): Uint8Array {
  const along = (bits: Uint8Array, count: number, lines: number, step: number, next: number) => {
    const out = bits.slice();
    for (let line = 0; line < lines; line++)
      for (let i = 0, at = line * next; i < count; i++, at += step) {
        if (bits[at] !== value) continue;
        for (let k = Math.max(0, i - BAND); k <= Math.min(count - 1, i + BAND); k++)
          out[line * next + k * step] = value;
      }
    return out;
  };
  return along(along(data, width, height, 1, width), height, width, width, 1);
}

/**
 * Returns the mean thickness of an object, as a share of the long side of its box: twice its area over its border's
 * length.
 */
export function thickness({ width, height, data }: Bitmap): number {
  let [area, border, left, right, top, bottom] = [0, 0, width, -1, height, -1];
  const at = (x: number, y: number) => (x >= 0 && y >= 0 && x < width && y < height ? data[y * width + x]! : 0);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!at(x, y)) continue;
      area++;
      border += 4 - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    }
  return (2 * area) / border / Math.max(right - left + 1, bottom - top + 1);
}

/**
 * Returns the numbers of pieces and of holes of an object that have at least 1 % of its area. Pieces meet at corners.
 */
export function countParts(mask: Bitmap): { pieces: number; holes: number } {
  const area = mask.data.reduce((sum, bit) => sum + bit, 0);
  const large = (part: Part) => part.area >= LEAST * area;
  return {
    pieces: partsOf(mask, 1).filter(large).length,
    holes: partsOf(mask, 0).filter((part) => !part.isAtEdge && large(part)).length,
  };
}

interface Part {
  area: number;
  /** True if the part reaches the image's edge. */
  isAtEdge: boolean;
}

/** Returns the connected parts of the pixels of a value: 1 also across corners, 0 only across sides. */
function partsOf({ width, height, data }: Bitmap, value: 0 | 1): Part[] {
  const seen = new Uint8Array(data.length);
  const parts: Part[] = [];
  for (let start = 0; start < data.length; start++) {
    if (seen[start] || data[start] !== value) continue;
    const part = { area: 0, isAtEdge: false };
    const open = [start];
    seen[start] = 1;
    for (let i = open.pop(); i !== undefined; i = open.pop()) {
      const [x, y] = [i % width, Math.floor(i / width)];
      part.area++;
      part.isAtEdge ||= x === 0 || y === 0 || x === width - 1 || y === height - 1;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          if (value === 0 && dx !== 0 && dy !== 0) continue;
          const [u, v] = [x + dx, y + dy];
          const k = v * width + u;
          if (u < 0 || v < 0 || u >= width || v >= height || seen[k] || data[k] !== value) continue;
          seen[k] = 1;
          open.push(k);
        }
    }
    parts.push(part);
  }
  return parts;
}
