import type { Rle } from "../entities/shape";
import type { Runs } from "./runs";

/**
 * COCO's compressed run lengths: each number is written in groups of five bits, lowest first, as characters from code
 * 48 on. Bit 5 is set if another group follows, bit 4 of the last group is the sign. From the fourth number on, the
 * difference to the number two positions before is written.
 */
const FIRST_CHARACTER = 48;
const MORE = 0x20;
const SIGN = 0x10;

/** Pixels of the largest image, 100,000 by 100,000. */
const MAX_PIXELS = 1e10;
/** 35 bits hold any difference of two run lengths. */
const MAX_GROUPS = 8;
const MAX_TEXT = 64_000_000;

/** Error for a run-length encoding that is malformed or does not fit its size. */
export class RleError extends Error {
  override name = "RleError";
}

/** Returns COCO's compressed string of run lengths. */
export function compress(runs: Runs): string {
  const parts: string[] = [];
  let codes: number[] = [];
  for (let i = 0; i < runs.length; i++) {
    let value = i > 2 ? runs[i]! - runs[i - 2]! : runs[i]!;
    let more = true;
    while (more) {
      const high = Math.floor(value / 32);
      const group = value - high * 32;
      value = high;
      more = group & SIGN ? value !== -1 : value !== 0;
      codes.push(FIRST_CHARACTER + (more ? group | MORE : group));
    }
    if (codes.length > 4096) {
      parts.push(String.fromCharCode(...codes));
      codes = [];
    }
  }
  return parts.join("") + String.fromCharCode(...codes);
}

/**
 * Returns the run lengths of COCO's compressed string. Throws an RleError if it is malformed or has too many pixels.
 */
export function decompress(text: string): Runs {
  if (text.length > MAX_TEXT) throw new RleError("Compressed counts are too long");
  const runs: Runs = [];
  let value = 0;
  let factor = 1;
  let groups = 0;
  let total = 0;
  for (let p = 0; p < text.length; p++) {
    const code = text.charCodeAt(p) - FIRST_CHARACTER;
    if (code < 0 || code > 63) throw new RleError(`Compressed counts have an unknown character at ${p}`);
    if (++groups > MAX_GROUPS) throw new RleError(`Compressed counts have a number too large at ${p}`);
    value += (code & 0x1f) * factor;
    factor *= 32;
    if (code & MORE) continue;
    if (code & SIGN) value -= factor;
    const length = runs.length > 2 ? value + runs[runs.length - 2]! : value;
    if (length < 0) throw new RleError(`Compressed counts have a negative run at ${p}`);
    runs.push(length);
    total += length;
    value = 0;
    factor = 1;
    groups = 0;
  }
  if (groups > 0) throw new RleError("Compressed counts end within a number");
  if (total > MAX_PIXELS) throw new RleError("Compressed counts have too many pixels");
  return runs;
}

/** Returns the run lengths of an RLE in either form. Throws an RleError if they do not sum to its height x width. */
export function runsOf(rle: Rle): Runs {
  const [height, width] = rle.size;
  const runs = typeof rle.counts === "string" ? decompress(rle.counts) : rle.counts;
  let total = 0;
  for (const length of runs) {
    if (!Number.isInteger(length) || length < 0) throw new RleError("Counts are not whole numbers from 0 up");
    total += length;
  }
  if (total !== height * width) throw new RleError(`Counts sum to ${total}, not to ${height} x ${width}`);
  return runs;
}

/** Returns an RLE of run lengths, with counts compressed or as a list. */
export function toRle(runs: Runs, height: number, width: number, compressed: boolean): Rle {
  return { size: [height, width], counts: compressed ? compress(runs) : runs };
}
