import { same } from "./same";

/** What a form changed: the fields of `after` that are not as they were `before`. Only these are sent. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const keys = (Object.keys(after) as (keyof T)[]).filter((key) => !same(before[key], after[key]));
  return Object.fromEntries(keys.map((key) => [key, after[key]])) as Partial<T>;
}
