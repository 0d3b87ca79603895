import { type Channels, hexOf } from "./hex";
import { channelsOfHsl } from "./hsl";
import { extremeOf } from "./readable";

/** Step by which a lightness is changed until the colour is readable. */
const STEP = 0.01;

/**
 * Returns a default colour as `#rrggbb`: any hue, lightness 0.35 to 0.70, saturation 0.6 to 1, so that it stands out on
 * light and on dark images. Blues, which look darker than their lightness, are lightened; yellows are darkened.
 * `random` returns numbers from 0 to below 1.
 */
export const randomColor = (random?: () => number): string => hexOf(randomChannels(random));

/** Returns the channels of a colour like those of `randomColor`. */
export function randomChannels(random: () => number = Math.random): Channels {
  const hue = random();
  const saturation = 0.6 + 0.4 * random();
  let lightness = 0.35 + 0.35 * random();
  let color = channelsOfHsl({ hue, saturation, lightness });
  for (let extreme = extremeOf(color); extreme !== 0; extreme = extremeOf(color)) {
    lightness -= extreme * STEP;
    color = channelsOfHsl({ hue, saturation, lightness });
  }
  return color;
}
