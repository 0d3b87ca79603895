/**
 * A colour for what was made without one, as `#rrggbb`: any hue, lightness 0.35 to 0.70, saturation 0.6 to 1, so that it
 * is seen on light and on dark pictures. `random` answers numbers from 0 to below 1.
 */
export function randomColor(random: () => number = Math.random): string {
  return hexOfHsl(random(), 0.6 + 0.4 * random(), 0.35 + 0.35 * random());
}

/** Hue, saturation and lightness from 0 to 1. CSS Color Module Level 4, §7.1 (HSL to sRGB). */
function hexOfHsl(hue: number, saturation: number, lightness: number): string {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (n + hue * 12) % 12;
    const value = lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}
