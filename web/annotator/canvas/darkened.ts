const known = new Map<string, string>();

/** A colour (`#rrggbb`) with its lightness halved, hue and saturation as they are: CSS colour. */
export function darkened(color: string): string {
  const before = known.get(color);
  if (before) return before;
  const { hue, saturation, lightness } = hslOf(color);
  const dark = `hsl(${Math.round(hue)} ${Math.round(saturation * 100)}% ${Math.round(lightness * 50)}%)`;
  known.set(color, dark);
  return dark;
}

function hslOf(color: string): { hue: number; saturation: number; lightness: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const lightness = (max + min) / 2;
  const chroma = max - min;
  if (chroma === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = chroma / (1 - Math.abs(2 * lightness - 1));
  const sector = max === r ? (((g - b) / chroma) % 6) + 6 : max === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return { hue: (sector * 60) % 360, saturation, lightness };
}
