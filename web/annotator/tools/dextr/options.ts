import { z } from "zod";
import { DEXTR } from "../../../../shared/constants";
import { numberOption } from "../common/options";

/**
 * Padding: how far around the box of the points the object may reach, in image pixels. Threshold: how sure the network
 * must be.
 */
export const dextrOptions = z.object({
  padding: numberOption(0, DEXTR.maxPadding, DEXTR.padding),
  threshold: numberOption(0, DEXTR.maxThreshold, DEXTR.threshold),
});
export type DextrOptions = z.infer<typeof dextrOptions>;
