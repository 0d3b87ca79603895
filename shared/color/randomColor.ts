import { hexOfHsl } from "./hsl";

/**
 * Returns a default colour as `#rrggbb`: any hue, lightness 0.35 to 0.70, saturation 0.6 to 1, so that it stands out on
 * light and on dark images. `random` returns numbers from 0 to below 1.
 */
export function randomColor(random: () => number = Math.random): string {
  return hexOfHsl({ hue: random(), saturation: 0.6 + 0.4 * random(), lightness: 0.35 + 0.35 * random() });
}
