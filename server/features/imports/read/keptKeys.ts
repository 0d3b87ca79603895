import { isStorable, type Json, MAX_MAP_LENGTH, writtenLength } from "../../../../shared/entities/scalars";
import type { Item } from "./readItem";

/** Returns true if a value has whole numbers that a double cannot tell from their neighbours. */
export function hasRounded(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasRounded);
}

/**
 * The keys of an item that are not in `known`, to be kept and written out again. `dropped` says of the others why they
 * cannot be: PostgreSQL takes no NUL and no lone surrogate, `__proto__` is the name of nothing, and all together may be too long.
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
