import { createHash } from "node:crypto";
import type { WrittenEntry } from "../exports/coco/exportDataset";

/** An image or annotation of a version, with a hash of its text in the COCO file. */
export interface Entry {
  image: number;
  /** 0 for an image. */
  annotation: number;
  /** Category of the annotation; 0 for an image. */
  category: number;
  hash: string;
}

/** Length of a hash in hexadecimal digits: 64 bits. */
const HASH_LENGTH = 16;

/** Returns a line of a version's list of entries. */
export function entryLine({ image, annotation, text }: WrittenEntry): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
  return `${image} ${annotation?.id ?? 0} ${annotation?.category ?? 0} ${hash}\n`;
}

/**
 * Yields lists of the entries in a list of lines: first the images by id, then the annotations by image and id. Throws
 * if a line is damaged.
 */
export async function* readEntries(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry[]> {
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    yield lines.map(entryOf);
  }
  if (rest !== "") throw new Error("The list of entries ends in a line.");
}

function entryOf(line: string): Entry {
  const [image, annotation, category, hash] = line.split(" ");
  if (!hash || hash.length !== HASH_LENGTH) throw new Error("The list of entries is damaged.");
  return { image: Number(image), annotation: Number(annotation), category: Number(category), hash };
}
