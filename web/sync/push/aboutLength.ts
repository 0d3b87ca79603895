/** Number of characters of the longest numbers, with a comma. */
const NUMBER = 20;

/** Estimates a value's length as JSON in characters, rather too high. Faster than writing the JSON of many shapes. */
export function aboutLength(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return NUMBER;
  if (!Array.isArray(value))
    return Object.entries(value).reduce((sum, [key, each]) => sum + key.length + 3 + aboutLength(each), 2);
  // A list contains either only numbers, such as a ring, or no numbers.
  if (typeof value[0] === "number") return NUMBER * value.length;
  return value.reduce<number>((sum, each) => sum + aboutLength(each), 2);
}
