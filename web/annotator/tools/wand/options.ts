import { z } from "zod";
import { MAGIC_WAND } from "../../../../shared/constants";
import { numberOption } from "../common/options";

/** Threshold: maximum difference per colour channel. Blur: radius in image pixels; less than 1 counts as 1. */
export const wandOptions = z.object({
  threshold: numberOption(0, MAGIC_WAND.max, MAGIC_WAND.threshold),
  blur: numberOption(0, MAGIC_WAND.max, MAGIC_WAND.blur),
});
export type WandOptions = z.infer<typeof wandOptions>;
