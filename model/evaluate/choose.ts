import { type PackedObject, readSample, type Sample } from "./pack";

/**
 * An object to evaluate, with a seed that depends only on the object, so that results do not depend on the selection.
 */
export interface Chosen {
  object: PackedObject;
  sample: Sample;
  seed: number;
}

/** Lower bounds of the classes of the objects' long sides, in image pixels. */
export const SIDES = [0, 32, 64, 128, 256, 512, 1024, 2048];

/** Largest number of objects with an empty mask to list. */
const MAX_LISTED = 20;

/**
 * Reads at most `limit` objects, selected evenly. Objects with an empty mask are left out, and added to `empty`. Throws
 * if no object is left.
 */
export async function* chosenOf(
  all: readonly PackedObject[],
  { limit, scale }: { limit: number; scale: number },
  empty: string[],
): AsyncGenerator<Chosen> {
  const objects = evenly(all, limit);
  for (const object of objects) {
    const sample = await readSample(object, scale);
    if (sample.mask.data.includes(1)) yield { object, sample, seed: seedOf(object) };
    else empty.push(`${object.item.k} of ${object.pack.name}`);
  }
  if (empty.length === objects.length) throw new Error(`There is no object to evaluate. ${listOfEmpty(empty)}`);
}

/** Returns at most `limit` of the items, selected evenly. */
export function evenly<T>(things: readonly T[], limit: number): T[] {
  if (things.length <= limit) return [...things];
  return Array.from({ length: limit }, (_, n) => things[Math.floor((n * things.length) / limit)]!);
}

export function listOfEmpty(empty: readonly string[]): string {
  const more = empty.length > MAX_LISTED ? " and others" : "";
  return `Left out because of empty masks: ${empty.length} (${empty.slice(0, MAX_LISTED).join(", ")}${more}).`;
}

/** Returns the name of the class of a long side. */
export function nameOfSide(side: number): string {
  const from = SIDES.findLast((each) => each <= side) ?? 0;
  const end = SIDES[SIDES.indexOf(from) + 1];
  return end === undefined ? `from ${from} px` : `${from} to ${end - 1} px`;
}

function seedOf({ item, mask }: PackedObject): number {
  let seed = mask;
  for (const letter of item.k) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) | 0;
  return seed;
}
