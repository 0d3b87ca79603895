import { KEYPOINT_PALETTE } from "../constants";
import { luminanceOf, luminanceOfChannels } from "./contrast";
import type { Channels } from "./hex";

/**
 * Luminance of colours that are visible on light and on dark images: pure blue is just above the minimum, pure yellow
 * above the maximum.
 */
const VISIBLE = { min: 0.07, max: 0.72 };

/**
 * Returns true if a colour (`#rrggbb`) is visible on light and on dark images: neither nearly black nor nearly white.
 */
export const isReadable = (color: string): boolean =>
  luminanceOf(color) >= VISIBLE.min && luminanceOf(color) <= VISIBLE.max;

/** Returns -1 if a colour is too dark, 1 if it is too bright, 0 if it is readable. */
export function extremeOf(color: Channels): -1 | 0 | 1 {
  const luminance = luminanceOfChannels(color);
  return luminance < VISIBLE.min ? -1 : luminance > VISIBLE.max ? 1 : 0;
}

/** The colours of the keypoint palette that are readable, for new annotations and categories. */
export const READABLE_PALETTE: readonly string[] = KEYPOINT_PALETTE.filter(isReadable);

/** Returns the nth readable colour of the keypoint palette, counted from 0; the colours repeat after the last. */
export const paletteColorAt = (index: number): string => READABLE_PALETTE[index % READABLE_PALETTE.length]!;
