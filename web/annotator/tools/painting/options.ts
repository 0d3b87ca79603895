import { z } from "zod";
import { BRUSH } from "../../../../shared/constants";
import { colorOption, flagOption, numberOption } from "../common/options";

/**
 * `strokeColor`: colour of the circle around the pointer. `radius`: in image pixels. `pressure`: true if a pen's
 * pressure changes the radius.
 */
export const paintOptions = z.object({
  strokeColor: colorOption("#ffffff"),
  radius: numberOption(0, BRUSH.maxRadius, BRUSH.radius),
  pressure: flagOption(true),
});
export type PaintOptions = z.infer<typeof paintOptions>;

/** Returns a radius `by` image pixels larger. Never goes below 1, unless it was already smaller. */
export function resized({ radius }: PaintOptions, by: number): Pick<PaintOptions, "radius"> {
  return { radius: Math.max(radius + by, Math.min(radius, 1)) };
}
