import { type Channels, channelsOf, hexOf, isColor } from "./hex";
import { randomChannels } from "./randomColor";

/** Number of random colours to compare. */
const TRIES = 40;

/** Returns, of some random colours, the one that differs most from its nearest colour in `taken`, as `#rrggbb`. */
export function distinctColor(taken: readonly string[], random: () => number = Math.random): string {
  const channels = taken.filter(isColor).map(channelsOf);
  let best: Channels = [0, 0, 0];
  let furthest = -1;
  for (let i = 0; i < TRIES; i++) {
    const color = randomChannels(random);
    let nearest = Number.POSITIVE_INFINITY;
    for (const other of channels) nearest = Math.min(nearest, distanceOf(color, other));
    if (nearest > furthest) {
      best = color;
      furthest = nearest;
    }
  }
  return hexOf(best);
}

/**
 * Returns the square of the approximate perceived distance of two colours, by "redmean" (T. Riemersma,
 * compuphase.com/cmetric.htm).
 */
function distanceOf(a: Channels, b: Channels): number {
  const mean = (a[0] + b[0]) / 2;
  const red = a[0] - b[0];
  const green = a[1] - b[1];
  const blue = a[2] - b[2];
  return (2 + mean / 256) * red * red + 4 * green * green + (2 + (255 - mean) / 256) * blue * blue;
}
