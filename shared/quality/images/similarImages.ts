/** Number of different bits of two prints up to which images are nearly the same; see decision 134 for the figures. */
export const SIMILAR_BITS = 14;

/** Parts of a print: eight of 16 bits. */
const PARTS = 8;
const PART_BITS = 16;
/**
 * Number of earlier images with the same part that are compared: a bound for datasets of a thousand similar frames.
 * Nearly equal prints share most parts, so one that is too common in one part is found by another.
 */
const MOST_COMPARED = 256;

/**
 * Called with the indices of two images, the earlier one first, and the number of bits in which their prints differ.
 */
type TakePair = (first: number, second: number, distance: number) => void;

/**
 * Passes pairs of prints (32 hexadecimal digits) that differ in at most `most` bits to `take`, each pair once. Method:
 * two prints that differ in at most 15 bits agree in at least one of eight parts but for one bit, so only prints with
 * such a part are compared. Source: Norouzi, Punjani and Fleet, "Fast search in Hamming space with multi-index
 * hashing", CVPR 2012.
 */
export function eachSimilarPair(prints: readonly string[], take: TakePair, most = SIMILAR_BITS): void {
  if (most >= 2 * PARTS) throw new RangeError(`At most ${2 * PARTS - 1} different bits can be searched`);
  const parts = partsOf(prints);
  const buckets = Array.from({ length: PARTS }, () => new Map<number, number[]>());
  const seen = new Int32Array(prints.length).fill(-1);
  for (let i = 0; i < prints.length; i++) {
    for (let part = 0; part < PARTS; part++) {
      const value = parts[PARTS * i + part]!;
      for (let bit = -1; bit < PART_BITS; bit++) {
        const near = buckets[part]!.get(bit < 0 ? value : value ^ (1 << bit));
        if (!near) continue;
        for (let k = near.length - 1, last = Math.max(0, near.length - MOST_COMPARED); k >= last; k--) {
          const other = near[k]!;
          if (seen[other] === i) continue;
          seen[other] = i;
          const distance = differentBits(parts, other, i, most);
          if (distance <= most) take(other, i, distance);
        }
      }
    }
    for (let part = 0; part < PARTS; part++) {
      const value = parts[PARTS * i + part]!;
      const bucket = buckets[part]!.get(value);
      if (bucket) bucket.push(i);
      else buckets[part]!.set(value, [i]);
    }
  }
}

function partsOf(prints: readonly string[]): Uint16Array {
  const parts = new Uint16Array(PARTS * prints.length);
  for (const [i, print] of prints.entries())
    for (let k = 0; k < PARTS; k++) parts[PARTS * i + k] = Number.parseInt(print.slice(4 * k, 4 * k + 4), 16);
  return parts;
}

/** Returns the number of different bits, or any number above `most`. */
function differentBits(parts: Uint16Array, a: number, b: number, most: number): number {
  let distance = 0;
  for (let k = 0; k < PARTS && distance <= most; k++) distance += ones(parts[PARTS * a + k]! ^ parts[PARTS * b + k]!);
  return distance;
}

/** Returns the number of ones in 16 bits. */
function ones(bits: number): number {
  const pairs = bits - ((bits >> 1) & 0x5555);
  const fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333);
  return ((((fours + (fours >> 4)) & 0x0f0f) * 0x0101) >> 8) & 0x1f;
}
