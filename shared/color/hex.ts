/** Red, green and blue, 0 to 255. */
export type Channels = readonly [red: number, green: number, blue: number];

/** A colour as Limn stores it: `#rrggbb`, in any case. */
export const HEX_COLOR = /^#[0-9a-f]{6}$/i;

export const isColor = (text: string): boolean => HEX_COLOR.test(text);

/** Returns the channels of a `#rrggbb` colour, black for any other text. */
export function channelsOf(color: string): Channels {
  if (!isColor(color)) return [0, 0, 0];
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Returns `#rrggbb` for channels, rounding them. */
export function hexOf(channels: Channels): string {
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}
