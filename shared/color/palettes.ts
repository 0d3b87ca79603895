import { paletteColorAt } from "./readable";

/**
 * Palettes whose colours can be told apart with any kind of colour blindness. Okabe and Ito (2008), without black,
 * which is lost on dark images; Tol (2021), "bright" and "muted".
 */
export const PALETTES = {
  "Okabe–Ito": ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"],
  "Tol bright": ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377"],
  "Tol muted": ["#cc6677", "#332288", "#ddcc77", "#117733", "#88ccee", "#882255", "#44aa99", "#999933", "#aa4499"],
} as const;
export type PaletteName = keyof typeof PALETTES;

/** Returns the colour of a palette for the nth category, counted from 0. Colours repeat after the last one. */
export const colorInPalette = (palette: PaletteName, index: number): string =>
  PALETTES[palette][index % PALETTES[palette].length]!;

/** Returns a readable colour for a name, always the same. */
export function colorOfName(name: string): string {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return paletteColorAt(hash);
}
