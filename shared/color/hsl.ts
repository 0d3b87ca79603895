import { type Channels, channelsOf, hexOf } from "./hex";

/** Hue, saturation and lightness, each from 0 to 1. */
export interface Hsl {
  hue: number;
  saturation: number;
  lightness: number;
}

export const hexOfHsl = (color: Hsl): string => hexOf(channelsOfHsl(color));

/** Returns the channels of a colour as whole numbers. CSS Color Module Level 4, §7.1 (HSL to sRGB). */
export function channelsOfHsl({ hue, saturation, lightness }: Hsl): Channels {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (n + hue * 12) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Returns hue, saturation and lightness of a `#rrggbb` colour. CSS Color Module Level 4, §7.2 (sRGB to HSL). */
export function hslOf(color: string): Hsl {
  const [r, g, b] = channelsOf(color).map((value) => value / 255) as unknown as Channels;
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const lightness = (max + min) / 2;
  const chroma = max - min;
  if (chroma === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = chroma / (1 - Math.abs(2 * lightness - 1));
  const sector = max === r ? (((g - b) / chroma) % 6) + 6 : max === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return { hue: (sector % 6) / 6, saturation, lightness };
}
