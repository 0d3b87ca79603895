import { z } from "zod";
import { BRUSH } from "../../../../shared/constants";
import { colorOption, numberOption } from "../common/options";

/** Radius in image pixels. The colour is the circle's around the pointer. */
export const paintOptions = z.object({
  strokeColor: colorOption("#ffffff"),
  radius: numberOption(0, BRUSH.maxRadius, BRUSH.radius),
});
export type PaintOptions = z.infer<typeof paintOptions>;

/** A radius so many image pixels larger or smaller; keys never make it less than 1. */
export function resized({ radius }: PaintOptions, by: number): Pick<PaintOptions, "radius"> {
  return { radius: Math.max(radius + by, Math.min(radius, 1)) };
}
