/** Number of characters of the longest numbers, with a comma. */
const NUMBER = 20;

/** Returns about how many characters a value has as JSON, rather too many: writing thousands of shapes takes long. */
export function aboutLength(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return NUMBER;
  if (!Array.isArray(value))
    return Object.entries(value).reduce((sum, [key, each]) => sum + key.length + 3 + aboutLength(each), 2);
  // A list has numbers only, such as a ring, or none.
  if (typeof value[0] === "number") return NUMBER * value.length;
  return value.reduce<number>((sum, each) => sum + aboutLength(each), 2);
}
