import { createHash } from "node:crypto";
import { randomColor } from "../../../../shared/color/randomColor";
import {
  type Json,
  MAX_MAP_LENGTH,
  type Metadata,
  storedMetadata,
  writtenLength,
} from "../../../../shared/entities/scalars";
import { jsonOf, mapOf, textOf } from "../dump/values";

/** Called for each part of a document that was changed or left out; the text ends a sentence about it. */
export type Note = (text: string) => void;

const MAX_KEYS = 1000;

/** Reads free metadata. Keys beyond Limn's limits are left out. */
export function metadataOf(value: unknown, note: Note): Metadata {
  const map = mapOf(value);
  if (!map) {
    if (value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
      note("has metadata that is not a map, which was left out");
    return {};
  }
  const json = jsonOf(map) as Metadata;
  const isWhole = storedMetadata.safeParse(json).success && writtenLength(json) <= MAX_MAP_LENGTH;
  if (isWhole) {
    if (JSON.stringify(json).includes("null") && hasNaN(map)) note("has NaN or Infinity in its metadata, read as null");
    return json;
  }
  note("has more metadata than Limn stores: what does not fit was left out");
  const kept: Metadata = {};
  let length = 2;
  for (const [key, inner] of Object.entries(json).slice(0, MAX_KEYS)) {
    const added = writtenLength({ [key]: inner });
    if (key.length > MAX_KEYS || length + added > MAX_MAP_LENGTH) continue;
    kept[key] = inner;
    length += added;
  }
  return kept;
}

function hasNaN(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (Array.isArray(value)) return value.some(hasNaN);
  return Object.values(mapOf(value) ?? {}).some(hasNaN);
}

/** Reads a colour: `#rrggbb`, `#rgb`, or three numbers from 0 to 255. */
export function colorOf(value: unknown): string | undefined {
  if (
    Array.isArray(value) &&
    value.length >= 3 &&
    value.slice(0, 3).every((n) => Number.isInteger(n) && n >= 0 && n <= 255)
  )
    return `#${value
      .slice(0, 3)
      .map((n: number) => n.toString(16).padStart(2, "0"))
      .join("")}`;
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (/^#[0-9a-f]{8}$/.test(text)) return text.slice(0, 7);
  if (/^#?[0-9a-f]{6}$/.test(text)) return `#${text.replace("#", "")}`;
  const [, short] = /^#([0-9a-f]{3})$/.exec(text) ?? [];
  return short && `#${[...short].map((digit) => digit + digit).join("")}`;
}

/** Returns a colour that is always the same for the same text. */
export function colorFor(text: string): string {
  const bytes = createHash("sha256").update(text).digest();
  let at = 0;
  return randomColor(() => bytes[at++ % bytes.length]! / 256);
}

/** Reads one line of text of limited length. */
export function lineOf(value: unknown, longest: number): string {
  return (textOf(value) ?? "").trim().slice(0, longest).toWellFormed();
}

/** Reads the keys that documents and COCO files have alike, and that Limn keeps without using them. */
export function extraOf(doc: Readonly<Record<string, unknown>>, keys: readonly string[]): { [key: string]: Json } {
  const kept = keys.filter((key) => doc[key] !== null && doc[key] !== undefined);
  return Object.fromEntries(kept.map((key) => [key, jsonOf(doc[key])]));
}
