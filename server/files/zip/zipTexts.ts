import type { Readable } from "node:stream";
import { ImageError } from "../paths/imageError";
import { counted, isStorageError, type OpenEntry, problemOf, zipEntries } from "./zip";

/** A file in a zip of annotations. `path` is as in the zip; never use it as a path on disk. */
export interface ZipText {
  path: string;
  /** Progress: `number` of `count`. */
  number: number;
  count: number;
  /** Reads the whole file. Throws ImageError if it is longer than `maxBytes`, damaged, or must not be extracted. */
  read(maxBytes: number): Promise<Buffer>;
  /** Streams the file. Throws ImageError like `read`. */
  stream(): Promise<Readable>;
}

/**
 * Yields the files of a zip one after another; read each, if at all, before requesting the next. Has the same total
 * size limit as `zipMembers`. Throws ImageError if the zip itself cannot be read.
 */
export async function* zipTexts(path: string, maxMb: number): AsyncGenerator<ZipText> {
  for await (const entry of zipEntries(path, maxMb)) {
    const stream = () => openEntry(entry);
    const read = async (maxBytes: number) => readAll(await stream(), maxBytes);
    yield { path: entry.name, number: entry.number, count: entry.zip.entryCount, read, stream };
  }
}

async function openEntry({ zip, entry, name, budget }: OpenEntry): Promise<Readable> {
  const problem = problemOf(name, entry);
  if (problem) throw new ImageError(problem);
  const source = await zip.openReadStreamPromise(entry).catch(damaged);
  const stream = counted(budget);
  source.on("error", (error) => stream.destroy(damageOf(error)));
  stream.on("close", () => source.destroy());
  return source.pipe(stream);
}

async function readAll(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ImageError(`it is longer than ${maxBytes / 1e6} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function damaged(error: unknown): never {
  throw damageOf(error);
}

/** Returns the error for a file that cannot be extracted from its zip. */
function damageOf(error: unknown): Error {
  if (error instanceof ImageError || (error instanceof Error && isStorageError(error))) return error;
  return new ImageError("it is damaged inside the zip", { cause: error });
}
