import { isStorable, type Json, MAX_MAP_LENGTH, writtenLength } from "../../../../shared/entities/scalars";
import type { Item } from "./readItem";

/** Returns true if a value contains integers beyond the precision of a double. */
export function hasRounded(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasRounded);
}

/**
 * Returns the keys of an item that are not in `known`, to be stored and exported again. `dropped`: true if some cannot
 * be stored, because they contain NUL or a lone surrogate, are named `__proto__`, or are too long in total.
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
  if (kept && writtenLength(kept) > MAX_MAP_LENGTH) return { kept: null, dropped: true };
  return { kept, dropped };
}
