import { z } from "zod";
import { MAX_ID } from "../constants";
import { text } from "../entities/scalars";

/** Inputs that arrive as text in paths and queries. */

/** An id in a path. A number too large to exist becomes 0, which no row has: absent, not invalid. */
export const idInPath = z
  .string()
  .regex(/^\d{1,20}$/, "Must be a number")
  .transform((digits) => (Number(digits) > MAX_ID ? 0 : Number(digits)))
  .or(z.number().int());

const wholeNumber = (min: number, max: number, missing: number) =>
  z
    .union([
      z
        .string()
        .regex(/^\d{1,9}$/, "Must be a whole number")
        .transform(Number),
      z.number().int(),
    ])
    .pipe(z.number().min(min).max(max))
    .default(missing);

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

/** `true`, `false`, `1`, `0`, whatever the case. An empty text is as good as absent. */
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

/** A comma list of ids; empty and absent mean none given. */
export const idList = z
  .union([
    z.array(z.number().int()),
    z
      .string()
      .max(100_000)
      .regex(/^\s*(\d{1,10}\s*(,\s*\d{1,10}\s*)*,?\s*)?$/, "Must be a list of numbers")
      .transform((list) =>
        list
          .split(",")
          .map((item) => item.trim())
          .filter(Boolean)
          .map(Number),
      ),
  ])
  .transform((list) => list.filter((value) => value <= MAX_ID))
  .optional();

export const folderPath = text(1000).default("");
