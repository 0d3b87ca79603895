import { Mask } from "../../../shared/wand/mask";
import type { PixelBox, Pixels } from "../../../shared/wand/pixels";

/** Masks and images for the tests of the wand, written as rows of characters: "#" is inside, anything else outside. */
export function maskOf(rows: readonly string[]): Mask {
  const mask = new Mask(rows[0]?.length ?? 0, rows.length);
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) if (row[x] === "#") mask.bytes[y * mask.stride + x] = 1;
  });
  return mask;
}

export function rowsOf(mask: Mask): string[] {
  return Array.from({ length: mask.height }, (_, y) =>
    Array.from({ length: mask.width }, (_, x) => (mask.has(x, y) ? "#" : ".")).join(""),
  );
}

export const wholeBox = ({ width, height }: { width: number; height: number }): PixelBox => ({
  left: 0,
  top: 0,
  right: width,
  bottom: height,
});

/** Returns a grey image of these brightnesses. */
export function greyImage(rows: readonly (readonly number[])[]): Pixels {
  const colors = rows.flat().map((value) => ((255 << 24) | (value << 16) | (value << 8) | value) >>> 0);
  return { width: rows[0]?.length ?? 0, height: rows.length, colors: Uint32Array.from(colors) };
}
