/** Helpers to read one item of a COCO file, whose contents are untrusted. */

export type Item = Readonly<Record<string, unknown>>;

/** Error for an item that cannot be used. The report counts it under its message. */
export class Unusable extends Error {
  override name = "Unusable";
}

export function asItem(value: unknown): Item {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unusable("is not an object");
  return value as Item;
}

/** Id in a file. 5 and "5" are different if the file has both. */
export type FileId = string | number;

/** Returns the entry for an id, or else for the same number as text or the same text as number. */
export const byId = <T>(map: ReadonlyMap<FileId, T>, id: FileId): T | undefined =>
  map.get(id) ?? map.get(otherKind(id));

function otherKind(id: FileId): FileId {
  if (typeof id === "number") return String(id);
  if (id.startsWith(EXACT)) return id.slice(EXACT.length);
  if (!/^-?(0|[1-9]\d*)$/.test(id)) return id;
  return Number.isSafeInteger(Number(id)) ? Number(id) : `${EXACT}${id}`;
}

/** Prefix of ids that are the digits of an integer beyond the precision of a double. */
const EXACT = "\u0000";

/**
 * Returns the id under `key`; undefined if there is none. An integer above 2^53, which a double cannot represent
 * exactly, is read by its digits from `text`, the source text of the item.
 */
export function idOf(item: Item, key: string, text: string): FileId | undefined {
  const value = item[key];
  if (typeof value === "string") return value;
  if (typeof value !== "number") return undefined;
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  const digits = new RegExp(`"${key}"\\s*:\\s*(-?\\d+)(?![\\d.eE])`, "g");
  for (const [, exact] of text.matchAll(digits)) if (Number(exact) === value) return `${EXACT}${exact}`;
  return value;
}

const MAX_COORDINATE = 1e7;

export const isCoordinate = (value: unknown): value is number =>
  typeof value === "number" && value >= -MAX_COORDINATE && value <= MAX_COORDINATE;

export const isCoordinates = (value: unknown): value is number[] => Array.isArray(value) && value.every(isCoordinate);

/** Returns a width or height in pixels; undefined if the file has none (absent, null, 0). */
export function pixelsOf(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : undefined;
}
