import type { Bitmap } from "../../model/evaluate/masks/bitmap";

/** Returns a bitmap from its rows of "0" and "1". */
export function bitmapOfRows(...rows: readonly string[]): Bitmap {
  return { width: rows[0]!.length, height: rows.length, data: Uint8Array.from(rows.join(""), Number) };
}
