import type { Finding } from "../finding";
import { eachSimilarPair } from "./similarImages";

/** An image as it is compared with the others, in the order of their ids. */
export interface ComparedImage {
  id: number;
  /** Hash of the file's bytes. */
  hash: string;
  /** Perceptual hash; null if the image is blank or cannot be read. */
  print: string | null;
  /** Part of the data that it belongs to, such as "train"; null if none is known. */
  split: string | null;
}

interface Match {
  other: ComparedImage;
  distance: number;
}

/**
 * Finds images that are the same as or similar to an earlier one, and images with a copy in another split. Each image
 * is in at most one finding: a leak, the same bytes, or a similar image, in this order.
 */
export function findSimilar(images: readonly ComparedImage[]): Finding[] {
  const best = new Map<ComparedImage, Match>();
  const leaks = new Map<ComparedImage, Match>();
  const note = (other: ComparedImage, image: ComparedImage, distance: number) => {
    const isLeak = other.split !== null && image.split !== null && other.split !== image.split;
    const matches = isLeak ? leaks : best;
    if (distance < (matches.get(image)?.distance ?? Number.POSITIVE_INFINITY)) matches.set(image, { other, distance });
  };
  for (const [first, ...copies] of sameBytes(images)) {
    // Leaks are found against the first copy in each split.
    const bySplit = new Map([[first!.split, first!]]);
    for (const copy of copies) {
      for (const other of bySplit.values()) note(other, copy, -1);
      if (!bySplit.has(copy.split)) bySplit.set(copy.split, copy);
    }
  }
  const printed = firstOfEach(images.filter(({ print }) => print !== null));
  eachSimilarPair(
    printed.map(({ print }) => print!),
    (first, second, distance) => note(printed[first]!, printed[second]!, distance),
  );
  return images.flatMap((image) => {
    const leak = leaks.get(image);
    if (leak) return [findingOf("leak", image, leak)];
    const match = best.get(image);
    return match ? [findingOf(match.distance < 0 ? "sameImage" : "similarImage", image, match)] : [];
  });
}

function findingOf(
  kind: "leak" | "sameImage" | "similarImage",
  image: ComparedImage,
  { other, distance }: Match,
): Finding {
  const bits = Math.max(0, distance);
  const details: Finding["details"] = { bits };
  if (kind === "leak") Object.assign(details, { split: image.split, otherSplit: other.split });
  return { kind, image: image.id, otherImage: other.id, score: -distance, details };
}

/** Returns the groups of two or more images with the same bytes. */
function sameBytes(images: readonly ComparedImage[]): ComparedImage[][] {
  const groups = new Map<string, ComparedImage[]>();
  for (const image of images) {
    const group = groups.get(image.hash);
    if (group) group.push(image);
    else groups.set(image.hash, [image]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** Returns the first image of each hash and split: copies of it are found by their bytes. */
function firstOfEach(images: readonly ComparedImage[]): ComparedImage[] {
  const seen = new Set<string>();
  return images.filter(({ hash, split }) => {
    const key = `${hash} ${split}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
