import { randomColor } from "./randomColor";

/** Colours that are tried. */
const TRIES = 40;

/** A colour that looks unlike those taken, as `#rrggbb`: of some random ones that whose nearest taken one is farthest. */
export function distinctColor(taken: readonly string[], random: () => number = Math.random): string {
  const channels = taken.flatMap((color) => channelsOf(color) ?? []);
  let best = { color: "", distance: -1 };
  for (let i = 0; i < TRIES; i++) {
    const color = randomColor(random);
    const own = channelsOf(color)?.[0];
    const distance = own ? Math.min(...channels.map((other) => distanceOf(own, other))) : 0;
    if (distance > best.distance) best = { color, distance };
  }
  return best.color;
}

type Channels = readonly [red: number, green: number, blue: number];

/** One colour as channels of 0 to 255; none of what is no `#rrggbb`. */
function channelsOf(color: string): [Channels] | undefined {
  const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color) ?? [];
  if (!red || !green || !blue) return undefined;
  return [[Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)]];
}

/** How unlike two colours look, about: the "redmean" approximation (T. Riemersma, compuphase.com/cmetric.htm). */
function distanceOf(a: Channels, b: Channels): number {
  const mean = (a[0] + b[0]) / 2;
  const [red, green, blue] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt((2 + mean / 256) * red ** 2 + 4 * green ** 2 + (2 + (255 - mean) / 256) * blue ** 2);
}
