import { hexOfHsl } from "./hsl";
import { extremeOf } from "./readable";

/** Step by which a lightness is changed until the colour is readable. */
const STEP = 0.01;

/**
 * Returns a default colour as `#rrggbb`: any hue, lightness 0.35 to 0.70, saturation 0.6 to 1, so that it stands out on
 * light and on dark images. Blues, which look darker than their lightness, are lightened; yellows are darkened.
 * `random` returns numbers from 0 to below 1.
 */
export function randomColor(random: () => number = Math.random): string {
  const hue = random();
  const saturation = 0.6 + 0.4 * random();
  let lightness = 0.35 + 0.35 * random();
  let color = hexOfHsl({ hue, saturation, lightness });
  for (let extreme = extremeOf(color); extreme !== 0; extreme = extremeOf(color)) {
    lightness -= extreme * STEP;
    color = hexOfHsl({ hue, saturation, lightness });
  }
  return color;
}
