import { isStorable, type Json } from "../../../shared/entities/scalars";
import type { Item } from "./readItem";

/** Whether a value has whole numbers that a double cannot tell from their neighbours. */
export function hasRounded(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasRounded);
}

/** Longest JSON of one item's unknown keys. */
const MAX_LENGTH = 256 * 1024;

/**
 * The keys of an item that are not in `known`, to be kept and written out again. `dropped` says of the others why they
 * cannot be: PostgreSQL takes no NUL and no lone surrogate, and `__proto__` is the name of nothing.
 */
export function unknownKeys(
  item: Item,
  known: ReadonlySet<string>,
): { kept: { [key: string]: Json } | null; dropped: boolean } {
  let kept: { [key: string]: Json } | null = null;
  let dropped = false;
  for (const key of Object.keys(item)) {
    if (known.has(key)) continue;
    const value = item[key];
    if (key === "__proto__" || !isStorable(key) || !isStorable(value)) {
      dropped = true;
      continue;
    }
    kept ??= {};
    kept[key] = value as Json;
  }
  if (kept && JSON.stringify(kept).length > MAX_LENGTH) return { kept: null, dropped: true };
  return { kept, dropped };
}
