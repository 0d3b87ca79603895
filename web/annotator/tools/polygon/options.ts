import { z } from "zod";
import { POLYGON } from "../../../../shared/constants";
import { flagOption, numberOption, strokeOptions } from "../common/options";

/** Distances in image pixels. With `completeDistance` 0, an outline never closes automatically. */
export const polygonOptions = z.object({
  guidance: flagOption(POLYGON.guidance),
  completeDistance: numberOption(0, 1000, POLYGON.completeDistance),
  minDistance: numberOption(0, 500, POLYGON.minDistance),
  ...strokeOptions,
});
export type PolygonOptions = z.infer<typeof polygonOptions>;
