/** Returns true if two JSON values are equal; the order of an object's keys does not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (a === 0 && b === 0)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    // Comparing with `!==` first saves a call for each number of a shape.
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !same(a[i], b[i])) return false;
    return true;
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

/** Returns true if `given` has the field, with the same value as `now`. */
export const hasSameField = (given: object, now: object, field: string): boolean =>
  Object.hasOwn(given, field) && same(Reflect.get(given, field), Reflect.get(now, field));
