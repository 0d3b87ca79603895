import { same } from "./same";

/** Returns the fields of `after` that differ from `before`. A form sends only these. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const keys = (Object.keys(after) as (keyof T)[]).filter((key) => !same(before[key], after[key]));
  return Object.fromEntries(keys.map((key) => [key, after[key]])) as Partial<T>;
}
