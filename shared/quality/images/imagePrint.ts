/**
 * The perceptual hash of an image: for a grid of 8 x 8 cells, if each cell is brighter than the next one to the right
 * (64 bits) and than the next one below (64 bits). Scaling, compression and a change of brightness hardly change it.
 * Source of the method: Krawetz, "Kind of like that" (difference hash), 2013; both directions are used here.
 */

/** Side in pixels of the scaled grey image that is hashed: a multiple of 8 and of 9, so that cells are whole pixels. */
export const PRINT_SIDE = 72;

/** Standard deviation of brightness (0 to 255) up to which an image is blank. */
export const BLANK_CONTRAST = 3;

export interface ImagePrint {
  /** 32 hexadecimal digits. */
  hash: string;
  /** Standard deviation of the brightness, 0 to 127.5. */
  contrast: number;
}

/** Returns the print of PRINT_SIDE x PRINT_SIDE grey pixels. */
export function printOf(grey: Uint8Array): ImagePrint {
  const across = cells(grey, 9, 8);
  const down = cells(grey, 8, 9);
  let bits = "";
  for (let y = 0; y < 8; y++) for (let x = 0; x < 8; x++) bits += across[9 * y + x]! > across[9 * y + x + 1]! ? 1 : 0;
  for (let y = 0; y < 8; y++) for (let x = 0; x < 8; x++) bits += down[8 * y + x]! > down[8 * (y + 1) + x]! ? 1 : 0;
  return { hash: hexOf(bits), contrast: contrastOf(grey) };
}

/** Returns the mean brightness of columns x rows cells. */
function cells(grey: Uint8Array, columns: number, rows: number): Float64Array {
  const [width, height] = [PRINT_SIDE / columns, PRINT_SIDE / rows];
  const sums = new Float64Array(columns * rows);
  for (let y = 0; y < PRINT_SIDE; y++)
    for (let x = 0; x < PRINT_SIDE; x++)
      sums[Math.floor(y / height) * columns + Math.floor(x / width)]! += grey[y * PRINT_SIDE + x]!;
  return sums.map((sum) => sum / (width * height));
}

function hexOf(bits: string): string {
  let hex = "";
  for (let i = 0; i < bits.length; i += 8)
    hex += Number.parseInt(bits.slice(i, i + 8), 2)
      .toString(16)
      .padStart(2, "0");
  return hex;
}

function contrastOf(grey: Uint8Array): number {
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  return Math.sqrt(grey.reduce((sum, value) => sum + (value - mean) ** 2, 0) / grey.length);
}
