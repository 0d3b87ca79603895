import { BLACK_OR_WHITE_ABOVE } from "../constants";
import { type Channels, channelsOf, hexOf } from "./hex";

/** Returns black or white, whichever has the higher contrast on `color` (`#rrggbb`) by WCAG 2: at least 4.58. */
export function textColorOn(color: string): "#000" | "#fff" {
  const luminance = luminanceOf(color);
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? "#000" : "#fff";
}

/** Returns the relative luminance of a colour (`#rrggbb`), 0 to 1. */
export const luminanceOf = (color: string): number => luminanceOfChannels(channelsOf(color));

/**
 * Returns the relative luminance of a colour whose channels are whole numbers, 0 to 1:
 * https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
 */
export function luminanceOfChannels([red, green, blue]: Channels): number {
  return 0.2126 * LINEAR[red]! + 0.7152 * LINEAR[green]! + 0.0722 * LINEAR[blue]!;
}

/** The linear value of each channel from 0 to 255. */
const LINEAR = Float64Array.from({ length: 256 }, (_, channel) => {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Returns the brightness of a colour, 0 to 255: luma after ITU-R BT.601. */
export function brightnessOf([red, green, blue]: Channels): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Returns black for a stroke on a bright part of the image, white on a dark part or if its colour is unknown. */
export function blackOrWhiteOn(part: Channels | null): string {
  return part && brightnessOf(part) > BLACK_OR_WHITE_ABOVE ? "#000000" : "#ffffff";
}

/** Returns the inverse of a colour as `#rrggbb`, white if the colour is unknown. */
export function inverseOf(color: Channels | null): string {
  if (!color) return "#ffffff";
  const [red, green, blue] = color.map(Math.round) as unknown as Channels;
  return hexOf([255 - red, 255 - green, 255 - blue]);
}
