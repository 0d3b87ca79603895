import { type Channels, channelsOf, hexOf } from "./hex";
import { extremeOf } from "./readable";

/** Share of white or black in a shade: seen beside the plain colour, but still the same colour. */
const SHARE = 0.26;

/** Shades of a colour: 0 is the colour itself, 1 is lighter, 2 is darker. */
export const SHADES = [0, 1, 2] as const;
export type Shade = (typeof SHADES)[number];

const known = new Map<string, string>();

/** Returns a shade of a `#rrggbb` colour. A shade that would be nearly black or nearly white is half as strong. */
export function shadeOf(color: string, shade: Shade): string {
  if (shade === 0) return color;
  const key = color + shade;
  const before = known.get(key);
  if (before) return before;
  const mixed = mix(color, shade, SHARE);
  const made = hexOf(extremeOf(mixed) === 0 ? mixed : mix(color, shade, SHARE / 2));
  known.set(key, made);
  return made;
}

function mix(color: string, shade: Shade, share: number): Channels {
  const goal = shade === 1 ? 255 : 0;
  const [red, green, blue] = channelsOf(color).map((value) => value + (goal - value) * share);
  return [red!, green!, blue!];
}
