import { z } from "zod";
import { HEX_COLOR } from "../color/hex";
import { MAX_ID } from "../constants";

/** Small schemas that several entities share. */

export const id = z.int().min(1).max(MAX_ID);

/** Text that PostgreSQL can store: no NUL, no lone surrogate. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\u0000") && value.isWellFormed(), "Invalid characters");

/** Converted to lower case, as PostgreSQL writes it. */
export const uuid = z.uuid().toLowerCase();

/** `#rrggbb`, converted to lower case. */
export const color = z
  .string()
  .regex(HEX_COLOR, "Invalid HEX color.")
  .transform((value) => value.toLowerCase());

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Length limit of a free map's JSON, as PostgreSQL writes it. */
export const MAX_MAP_LENGTH = 256 * 1024;

/**
 * A free key/value map that may have been stored before there was a length limit. The key `__proto__` is not allowed.
 */
export const storedMetadata = z
  .record(text(1000), z.json())
  .refine((map) => Object.keys(map).length <= 1000, "Too many metadata entries")
  .refine((map) => !Object.hasOwn(map, "__proto__"), "Invalid key")
  .refine((map) => isStorable(map), "Invalid characters in metadata");

/** A free key/value map on an annotation, image or category, as a client may send it. */
export const metadata = storedMetadata.refine((map) => writtenLength(map) <= MAX_MAP_LENGTH, "Too much metadata");
export type Metadata = { [key: string]: Json };

/** Returns the length of a JSON value as PostgreSQL writes it: without exponents, so that 1e300 has 301 digits. */
export const writtenLength = (value: unknown): number => JSON.stringify(value).length + exponentsIn(value);

/** Returns the sum of the absolute exponents of all numbers in a value, as JavaScript writes them. */
function exponentsIn(value: unknown): number {
  if (typeof value === "number") return Math.abs(Number(String(value).split("e")[1] ?? 0));
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + exponentsIn(inner), 0);
}

/** Returns true if PostgreSQL can store and return all texts in a JSON value. */
export function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\u0000") && value.isWellFormed();
  if (Array.isArray(value)) return value.every(isStorable);
  if (value && typeof value === "object")
    return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner));
  return true;
}
