import { type Document, deserialize } from "bson";
import { MAX_ID } from "../../../../shared/constants";
import type { Json } from "../../../../shared/entities/scalars";

/**
 * Readers of BSON values. Documents of an old database have values of any type: numbers in four types or as text, dates
 * as text, lists that are null. Each function returns undefined for a value that it cannot use.
 */

export type Doc = Readonly<Record<string, unknown>>;

/** Parses a document. Returns undefined if its bytes are not valid BSON. */
export function parseDocument(bytes: Uint8Array): Doc | undefined {
  try {
    return deserialize(bytes, { promoteBuffers: false, validation: { utf8: false } }) as Document;
  } catch {
    return undefined;
  }
}

/**
 * Returns the text by which an id is compared: digits for integers of any type, and for text that is an integer; 24
 * hexadecimal digits for an ObjectId.
 */
export function keyOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string") return value === "" ? undefined : value.slice(0, 200);
  const type = typeOf(value);
  if (type === "ObjectId") return String(value);
  if (type === "DBRef") return keyOf((value as { oid: unknown }).oid);
  if (type === "Long") return String(value);
  const number = numberOf(value);
  if (number === undefined) return undefined;
  return Number.isInteger(number) ? BigInt(number).toString() : String(number);
}

/** Returns the number of a key if it can be an id in Limn. */
export function idOfKey(key: string | undefined): number | undefined {
  if (key === undefined || !/^[1-9]\d{0,9}$/.test(key)) return undefined;
  return Number(key) <= MAX_ID ? Number(key) : undefined;
}

/** Returns a finite number. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "bigint") return Number(value);
  const type = typeOf(value);
  const isNumber = type === "Long" || type === "Decimal128" || type === "Int32" || type === "Double";
  const isText = typeof value === "string" && /^\s*-?\d+(\.\d+)?([eE][-+]?\d+)?\s*$/.test(value);
  if (!isNumber && !isText) return undefined;
  const number = Number(String(value));
  return Number.isFinite(number) ? number : undefined;
}

/** Returns a whole number of at least 0, rounded down. */
export function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? Math.floor(number) : undefined;
}

/** Returns text that PostgreSQL can store; numbers and ids as text. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === "string" ? value : keyOf(value);
  return text?.replaceAll("\u0000", "").toWellFormed();
}

/** Returns a flag; false for a missing value. */
export function flagOf(value: unknown): boolean {
  if (typeof value === "string") return /^(true|yes|1)$/i.test(value.trim());
  if (typeof value === "boolean") return value;
  const number = numberOf(value);
  return number !== undefined && number !== 0;
}

/** Dates that PostgreSQL and JavaScript both store, and that a clock may have written. */
const EARLIEST = Date.UTC(1970, 0, 2);
const LATEST = Date.UTC(2200, 0, 1);

/** Returns a date; numbers are milliseconds since 1970, text is in ISO 8601, without a zone in UTC. */
export function dateOf(value: unknown): Date | undefined {
  const at = millisecondsOf(value);
  return at !== undefined && at >= EARLIEST && at < LATEST ? new Date(at) : undefined;
}

function millisecondsOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  const type = typeOf(value);
  if (type === "Timestamp") return (value as { getHighBits(): number }).getHighBits() * 1000;
  if (typeof value === "object" && value !== null && "$date" in value) return millisecondsOf(value.$date);
  if (typeof value !== "string") return numberOf(value);
  const text = value.trim().replace(" ", "T");
  const at = Date.parse(/[zZ]$|[-+]\d\d:?\d\d$/.test(text) || !text.includes("T") ? text : `${text}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** Returns a list; an empty one for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a map that is not a list or a value of a BSON type; undefined for any other value. */
export function mapOf(value: unknown): Doc | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value instanceof Date || typeOf(value) !== undefined ? undefined : (value as Doc);
}

const MAX_DEPTH = 32;

/**
 * Returns a value as JSON: dates as ISO 8601, ids as text, binary data in base64. NaN, infinite numbers, and what is
 * nested too deeply become null. Keys and texts lose characters that PostgreSQL cannot store.
 */
export function jsonOf(value: unknown, depth = 0): Json {
  if (value === null || value === undefined || depth > MAX_DEPTH) return null;
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return textOf(value) ?? "";
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, depth + 1));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object") return textOf(value) ?? null;
  const map = mapOf(value);
  if (!map) return jsonOfBson(value);
  const entries = Object.entries(map).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(entries.map(([key, inner]) => [textOf(key) ?? "", jsonOf(inner, depth + 1)]));
}

function jsonOfBson(value: object): Json {
  const type = typeOf(value);
  if (type === "Binary") return (value as { toString(encoding: string): string }).toString("base64");
  const number = numberOf(value);
  const isExact = number !== undefined && (!Number.isInteger(number) || Number.isSafeInteger(number));
  if (isExact) return number;
  if (type === "Decimal128" && number === undefined) return null;
  return String(value);
}

/** Returns the name of a BSON type; undefined for an ordinary object. */
function typeOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("_bsontype" in value)) return undefined;
  // A stored document may have a key of this name itself.
  if (Object.hasOwn(value, "_bsontype")) return undefined;
  return String(value._bsontype);
}

/** Returns the bytes of binary data as Latin-1 text, which is how COCO writes compressed masks. */
export function latin1Of(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeOf(value) !== "Binary") return undefined;
  const { buffer, position } = value as { buffer: Uint8Array; position: number };
  return Buffer.from(buffer.subarray(0, position)).toString("latin1");
}
