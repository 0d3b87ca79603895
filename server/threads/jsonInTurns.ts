import type { Rings } from "../../shared/entities/shape";
import { makePause } from "./makePause";
import { numbersText } from "./numbersText";

/** Number of values that are serialized without a pause, which takes about a millisecond. */
const AT_ONCE = 5_000;
/** Number of characters of a string that take as long as one value. */
const CHARACTERS_PER_VALUE = 20;
/** Minimum length of a yielded piece in characters, except for the last. */
const CHARACTERS = 50_000;

/**
 * Yields the same text as JSON.stringify, piece by piece: serialized at once, an annotation of 100,000 points alone
 * would block all requests for 50 ms.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let text = "";
  for (const part of partsOf(value)) {
    text += part;
    if (text.length < CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

/** Returns the same text as JSON.stringify, with pauses for other work. */
export async function jsonInTurns(value: unknown): Promise<string> {
  if (isShort(value)) return JSON.stringify(value);
  const pause = makePause();
  const pieces: string[] = [];
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    await pause();
  }
  return pieces.join("");
}

/** Texts of lists of numbers, as long as the lists are in use: see keepTexts. */
const keptTexts = new WeakMap<readonly unknown[], string>();

/**
 * Serializes all long lists of numbers in a value, with pauses. jsonPieces then only copies their texts, so that a
 * transaction does not serialize while it holds the only connection of the embedded database. The lists must not be
 * changed afterwards.
 */
export async function keepTexts(value: unknown): Promise<void> {
  for (const list of longLists(value)) if (!keptTexts.has(list)) keptTexts.set(list, await jsonInTurns(list));
}

function longLists(value: unknown): unknown[][] {
  const found: unknown[][] = [];
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const isList = Array.isArray(next);
    if (isList && typeof next[0] === "number") {
      if (next.length > AT_ONCE && isNumbers(next)) found.push(next);
    } else {
      for (const each of isList ? next : Object.values(next)) open.push(each);
    }
  }
  return found;
}

/** Returns true if a value can be serialized in about a millisecond. The check itself takes no longer. */
export const isShort = (value: unknown): boolean => weightOf(value) <= AT_ONCE;

/** Returns the number of values inside a value, where long strings count more. Stops counting above AT_ONCE. */
function weightOf(value: unknown): number {
  if (typeof value === "number") return 1;
  let weight = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    weight += typeof next === "string" ? 1 + next.length / CHARACTERS_PER_VALUE : 1;
    if (typeof next !== "object" || next === null) continue;
    const inner = Array.isArray(next) ? next : Object.values(next);
    if (weight + inner.length > AT_ONCE) return weight + inner.length;
    if (isNumbers(inner)) {
      weight += inner.length;
      continue;
    }
    if (weight + open.length + inner.length > AT_ONCE) return weight + open.length + inner.length;
    for (const each of inner) open.push(each);
  }
  return weight;
}

/** Texts of polygons, as long as they are in use: see keepRingsText. */
const keptPolygons = new WeakMap<Rings, string>();

/** Makes the text of polygons, which ringsText then only looks up. They must not be changed afterwards. */
export function keepRingsText(rings: Rings): void {
  keptPolygons.set(rings, ringsText(rings));
}

/** Returns the same text as JSON.stringify for polygons. */
export function ringsText(rings: Rings): string {
  const kept = keptPolygons.get(rings);
  if (kept !== undefined) return kept;
  return `[${rings.map((polygon) => `[${polygon.map(numbersText).join(",")}]`).join(",")}]`;
}

/** Returns true for a list of numbers, such as a ring. Called thousands of times for each batch of edits. */
const isNumbers = (list: readonly unknown[]): list is number[] => list.every((item) => typeof item === "number");

function* partsOf(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || "toJSON" in value || isShort(value))
    yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) yield* listParts(value);
  else yield* objectParts(value);
}

/** Yields the JSON of a list. Serializes as many items together as can be serialized without a pause. */
function* listParts(list: readonly unknown[]): Generator<string> {
  const kept = keptTexts.get(list);
  if (kept !== undefined) return yield* slicesOf(kept);
  yield "[";
  for (let from = 0; from < list.length; ) {
    if (from > 0) yield ",";
    let weight = weightOf(list[from]);
    let to = from + 1;
    for (; to < list.length && weight <= AT_ONCE; to++) {
      weight += weightOf(list[to]);
      if (weight > AT_ONCE) break;
    }
    if (to > from + 1) yield JSON.stringify(list.slice(from, to)).slice(1, -1);
    else yield* partsOf(list[from]);
    from = to;
  }
  yield "]";
}

function* objectParts(object: object): Generator<string> {
  let isFirst = true;
  yield "{";
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${isFirst ? "" : ","}${JSON.stringify(key)}:`;
    yield* partsOf(value);
    isFirst = false;
  }
  yield "}";
}

/** Slices the text of a list of numbers at any position, since it has no surrogate pairs. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; from += CHARACTERS) yield text.slice(from, from + CHARACTERS);
}
