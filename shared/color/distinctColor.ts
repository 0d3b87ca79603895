import { type Channels, channelsOf, isColor } from "./hex";
import { randomColor } from "./randomColor";

/** Number of random colours to compare. */
const TRIES = 40;

/** Returns, of some random colours, the one that differs most from its nearest colour in `taken`, as `#rrggbb`. */
export function distinctColor(taken: readonly string[], random: () => number = Math.random): string {
  const channels = taken.filter(isColor).map(channelsOf);
  let best = { color: "", distance: -1 };
  for (let i = 0; i < TRIES; i++) {
    const color = randomColor(random);
    const own = channelsOf(color);
    const distance = Math.min(...channels.map((other) => distanceOf(own, other)));
    if (distance > best.distance) best = { color, distance };
  }
  return best.color;
}

/**
 * Returns the approximate perceived distance of two colours, by "redmean" (T. Riemersma, compuphase.com/cmetric.htm).
 */
function distanceOf(a: Channels, b: Channels): number {
  const mean = (a[0] + b[0]) / 2;
  const [red, green, blue] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt((2 + mean / 256) * red ** 2 + 4 * green ** 2 + (2 + (255 - mean) / 256) * blue ** 2);
}
