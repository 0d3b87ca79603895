import { z } from "zod";
import { MAX_ID } from "../constants";

/** Small schemas that several entities share. */

export const id = z.int().min(1).max(MAX_ID);

/** Text that PostgreSQL can store: no NUL, no lone surrogate. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\u0000") && value.isWellFormed(), "Invalid characters");

/** Kept in lower case, as PostgreSQL writes it. */
export const uuid = z.uuid().toLowerCase();

/** `#rrggbb`, kept in lower case. */
export const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, "Invalid HEX color.")
  .transform((value) => value.toLowerCase());

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A free key/value map, as on annotations, images and categories. Keys are never prototype names. */
export const metadata = z
  .record(text(1000), z.json())
  .refine((map) => Object.keys(map).length <= 1000, "Too many metadata entries")
  .refine((map) => !Object.hasOwn(map, "__proto__"), "Invalid key")
  .refine((map) => isStorable(map), "Invalid characters in metadata");
export type Metadata = { [key: string]: Json };

/** Whether all texts in a JSON value can be stored and read back by PostgreSQL. */
export function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\u0000") && value.isWellFormed();
  if (Array.isArray(value)) return value.every(isStorable);
  if (value && typeof value === "object")
    return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner));
  return true;
}
