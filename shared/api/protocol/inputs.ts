import { z } from "zod";
import { MAX_ID } from "../../constants";
import { text } from "../../entities/scalars";

/** Schemas of inputs that arrive as text in paths and queries. */

/**
 * An id in a path. A number too large for any row becomes 0, so that the response is "not found" instead of "invalid
 * input".
 */
export const idInPath = z
  .string()
  .regex(/^\d{1,20}$/, "Must be a number")
  .transform((digits) => (Number(digits) > MAX_ID ? 0 : Number(digits)))
  .or(z.number().int());

export const count = z
  .union([
    z
      .string()
      .regex(/^\d{1,9}$/, "Must be a whole number")
      .transform(Number),
    z.number().int(),
  ])
  .pipe(z.number().min(0));

const wholeNumber = (min: number, max: number, missing: number) =>
  count.pipe(z.number().min(min).max(max)).default(missing);

/** 1-based. */
export const page = wholeNumber(1, 1_000_000_000, 1);
export const limit = (missing: number) => wholeNumber(1, 1000, missing);
export const pixels = z
  .union([
    z
      .string()
      .regex(/^\d{1,6}$/, "Must be a whole number")
      .transform(Number),
    z.number().int(),
  ])
  .pipe(z.number().min(1).max(100_000));

/** `true`, `false`, `1` or `0`, case-insensitive. An empty string counts as absent. */
export const flag = z
  .union([
    z.boolean(),
    z
      .string()
      .trim()
      .regex(/^(true|false|1|0|)$/i, "Must be true or false")
      .transform((value) => (value === "" ? undefined : value === "1" || value.toLowerCase() === "true")),
  ])
  .optional();

/** Allows a trailing comma, which older clients send. */
const isIdList = (items: readonly string[]): boolean =>
  items.every((item, i) => /^\d{1,10}$/.test(item) || (item === "" && i > 0 && i === items.length - 1));

/**
 * A comma-separated list of ids; an empty or absent list is the same as none. A number too large for any row becomes 0
 * instead of being dropped: the list could become empty, which means all.
 */
export const idList = z
  .union([
    z.array(z.number().int()),
    z
      .string()
      .max(100_000)
      .transform((list) => (list.trim() === "" ? [] : list.split(",").map((item) => item.trim())))
      .refine(isIdList, "Must be a list of numbers")
      .transform((items) => items.filter(Boolean).map(Number)),
  ])
  .transform((list) => list.map((value) => (value < 0 || value > MAX_ID ? 0 : value)))
  .optional();

/** Part of a name, whatever its case and accents; empty or absent means all. */
export const search = text(200).trim().optional();

export const folderPath = text(1000).default("");
