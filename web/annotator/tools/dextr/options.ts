import { z } from "zod";
import { DEXTR } from "../../../../shared/constants";
import { numberOption } from "../common/options";

/**
 * Padding: distance that the object may extend beyond the box of the points, in image pixels. Threshold: certainty that
 * the network must have, 0 to 100.
 */
export const dextrOptions = z.object({
  padding: numberOption(0, DEXTR.maxPadding, DEXTR.padding),
  threshold: numberOption(0, DEXTR.maxThreshold, DEXTR.threshold),
});
export type DextrOptions = z.infer<typeof dextrOptions>;
