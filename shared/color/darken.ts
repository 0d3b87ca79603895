import { hslOf } from "./hsl";

const known = new Map<string, string>();

/** Returns a CSS colour with the hue and saturation of a `#rrggbb` colour, and half its lightness. */
export function darken(color: string): string {
  const before = known.get(color);
  if (before) return before;
  const { hue, saturation, lightness } = hslOf(color);
  const dark = `hsl(${Math.round(hue * 360)} ${Math.round(saturation * 100)}% ${Math.round(lightness * 50)}%)`;
  known.set(color, dark);
  return dark;
}
