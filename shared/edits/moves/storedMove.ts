import { MAX_COORDINATE, type Rings } from "../../entities/shape";
import { translateRings } from "../../geometry/polygons";
import type { Edit } from "../edit";
import { fieldOf, isMoved, type Moved, shortenMove } from "./moved";

/**
 * The shortest form of an edit that only moves a shape: `before.rings` is a checksum of the shape and its number of
 * coordinates, and `after.rings` the distance. The server has the shape and moves it if it has the same checksum;
 * otherwise it refuses the edit, which is then sent in full. Servers of earlier versions refuse this form.
 */
interface Summed {
  sum: string;
  count: number;
}

/** A move of the shape that the server has. */
export type StoredMove = Moved & Summed;

/** Checksums by shape: an edit is sent again if its response is lost. */
const sums = new WeakMap<Rings, string>();

/** Returns an edit in this form if it only moves a shape; otherwise the unchanged edit. */
export function sumMove(edit: Edit): unknown {
  const short = shortenMove(edit);
  if (short === edit || edit.subject !== "annotation" || !edit.before.rings) return edit;
  const { rings } = edit.before;
  const summed: Summed = { sum: sumOf(rings), count: coordinateCount(rings) };
  return { ...Object(short), before: { ...edit.before, rings: summed } };
}

/** Returns a sent edit without its shapes, and the move in their place; undefined for an edit in another form. */
export function takeMove(sent: unknown): { edit: unknown; move: StoredMove } | undefined {
  const before = fieldOf(sent, "before");
  const after = fieldOf(sent, "after");
  const summed = fieldOf(before, "rings");
  const moved = fieldOf(after, "rings");
  if (!isMoved(moved) || !isSummed(summed)) return undefined;
  const withoutRings = (change: unknown) => ({ ...Object(change), rings: undefined });
  const edit = { ...Object(sent), before: withoutRings(before), after: withoutRings(after) };
  return { edit, move: { moved: moved.moved, sum: summed.sum, count: summed.count } };
}

function isSummed(value: unknown): value is Summed {
  const sum = fieldOf(value, "sum");
  const count = fieldOf(value, "count");
  return typeof sum === "string" && /^[0-9a-f]{16}$/.test(sum) && Number.isSafeInteger(count) && Number(count) > 0;
}

/**
 * Returns the moved shape; undefined if the stored shape is not the one that was moved, or if the moved shape would be
 * too far away.
 */
export function moveStored(stored: Rings | null, { moved: [x, y], sum, count }: StoredMove): Rings | undefined {
  if (!stored || coordinateCount(stored) !== count || sumOf(stored) !== sum) return undefined;
  const moved = translateRings(stored, x, y);
  const isNear = moved.every((polygon) => polygon.every((ring) => ring.every((at) => Math.abs(at) <= MAX_COORDINATE)));
  return isNear ? moved : undefined;
}

export const coordinateCount = (rings: Rings): number =>
  rings.reduce((sum, polygon) => sum + polygon.reduce((count, ring) => count + ring.length, 0), 0);

/**
 * Returns a checksum of 64 bits, as 16 hexadecimal digits: shapes that differ in any bit almost certainly differ in it.
 */
function sumOf(rings: Rings): string {
  const known = sums.get(rings);
  if (known !== undefined) return known;
  const numbers = new Float64Array(
    1 + rings.length + rings.reduce((sum, polygon) => sum + polygon.length, coordinateCount(rings)),
  );
  let at = 0;
  numbers[at++] = rings.length;
  for (const polygon of rings) {
    numbers[at++] = polygon.length;
    for (const ring of polygon) {
      numbers[at++] = ring.length;
      // JSON knows no negative zero.
      for (const value of ring) numbers[at++] = value + 0;
    }
  }
  const words = new Uint32Array(numbers.buffer);
  const sum = [mixed(words, 0xcc9e2d51, 0x1b873593), mixed(words, 0x239b961b, 0xab0e9789)].map(hexadecimal).join("");
  sums.set(rings, sum);
  return sum;
}

const hexadecimal = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");

/** Mixes words as the 32-bit MurmurHash3 of Austin Appleby does (public domain), with any two odd factors. */
function mixed(words: Uint32Array, first: number, second: number): number {
  let hash = words.length;
  for (let i = 0; i < words.length; i++) {
    let word = Math.imul(words[i]!, first);
    word = Math.imul((word << 15) | (word >>> 17), second);
    hash ^= word;
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
