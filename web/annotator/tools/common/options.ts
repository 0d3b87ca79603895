import { z } from "zod";
import { HEX_COLOR } from "../../../../shared/color/hex";
import { POLYGON } from "../../../../shared/constants";

/** Schemas for stored preferences. Missing or invalid values fall back to the default; false and 0 are valid values. */
export const flagOption = (missing: boolean) => z.boolean().catch(missing).default(missing);

export const numberOption = (min: number, max: number, missing: number) =>
  z
    .number()
    .transform((value) => Math.min(Math.max(value, min), max))
    .catch(missing)
    .default(missing);

export const colorOption = (missing: string) => z.string().regex(HEX_COLOR).catch(missing).default(missing);

export const strokeOptions = {
  auto: flagOption(true),
  blackOrWhite: flagOption(true),
  strokeColor: colorOption("#000000"),
  radius: numberOption(0, 1000, POLYGON.samplingRadius),
};

/** Parses stored options with a schema that has a default for every key. Never throws, whatever was stored. */
export function parseOptions<T extends z.ZodType>(schema: T, stored: unknown): z.output<T> {
  const object = typeof stored === "object" && stored !== null && !Array.isArray(stored) ? stored : {};
  return schema.parse(object);
}
