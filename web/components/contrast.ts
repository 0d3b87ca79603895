import { BLACK_OR_WHITE_ABOVE } from "../../shared/constants";

/** Black or white, whichever can be read on `color` (`#rrggbb`). Brightness as ITU-R BT.601 weighs it. */
export function textOn(color: string): "#000" | "#fff" {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) || 0);
  return red! * 0.299 + green! * 0.587 + blue! * 0.114 > BLACK_OR_WHITE_ABOVE ? "#000" : "#fff";
}
