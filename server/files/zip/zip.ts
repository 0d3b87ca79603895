import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Entry, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from "yauzl";
import { codeOf } from "../../base/errors";
import { ImageError, ZipGone } from "../paths/imageError";
import type { TemporaryFiles } from "../paths/temporaryFiles";
import type { NamedFiles } from "../storage/storage";

/**
 * A file in a zip, extracted to `file`, or the reason why it was not. `path` is as in the zip and must be checked like
 * any untrusted path. `number` of `count` is the progress.
 */
export type ZipMember = { path: string; number: number; count: number } & ({ file: string } | { problem: string });

const MAX_MEMBERS = 1_000_000;
/**
 * Maximum compression ratio of a file. Deflate reaches 1,032; images rarely exceed 1.1, and even a scanned blank page
 * stays below 200.
 */
const MAX_RATIO = 200;
const ALWAYS_ALLOWED_BYTES = 10_000_000;
const OLD_MS = 3_600_000;
const SYMBOLIC_LINK = 0o120000;
const KIND_OF_FILE = 0o170000;
/** Files that operating systems add to zips. */
const CLUTTER = /(^|\/)(__MACOSX\/|\.(?!\.\/)|Thumbs\.db$|desktop\.ini$)/;

/** Returns true if the file starts like a zip: with a local file header, or the end record of an empty zip. */
export async function isZip(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return beginsLikeZip(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Returns true if the first four bytes of a file are those of a zip. */
export const beginsLikeZip = (head: Buffer): boolean =>
  ["PK\x03\x04", "PK\x05\x06"].includes(head.toString("latin1", 0, 4));

/** Moves an uploaded zip to the kept zips, where a task finds it even after a restart; returns its name. */
export async function keepZip(zips: NamedFiles, file: string): Promise<string> {
  const name = `${randomUUID()}.zip`;
  await zips.keep(name, file);
  return name;
}

/**
 * Removes kept zips that no task will read: those not `wanted` and old enough that their upload must have become a
 * task.
 */
export async function dropOldZips(zips: NamedFiles, wanted: Set<string>): Promise<void> {
  for (const { name, modifiedMs } of await zips.list())
    if (!wanted.has(name) && Date.now() - modifiedMs > OLD_MS) await zips.remove(name);
}

export const dropZip = async (zips: NamedFiles, name: string): Promise<void> => zips.remove(checkedZip(name));

/**
 * Extracts the files of a kept zip one after another; each is deleted when the next is requested. Extracts at most
 * `maxMb` in total, counted from the actual bytes and not from the zip's headers. Throws ImageError if the zip itself
 * cannot be read.
 */
export async function* zipMembers(
  zips: NamedFiles,
  name: string,
  temporary: TemporaryFiles,
  maxMb: number,
): AsyncGenerator<ZipMember> {
  const file = await zips.local(checkedZip(name));
  if (!file) throw new ZipGone("it no longer exists");
  try {
    for await (const one of zipEntries(file.path, maxMb)) yield* member(one, temporary);
  } finally {
    await file.release();
  }
}

/** A file in an open zip; `name` is untrusted. */
export interface OpenEntry {
  zip: ZipFile;
  entry: Entry;
  name: string;
  /** Bytes that may still be extracted from the zip. */
  budget: { left: number };
  /** Position in the zip, from 1. */
  number: number;
}

/** Yields the files of a zip, without folders and files added by operating systems. Throws like `zipMembers`. */
export async function* zipEntries(path: string, maxMb: number): AsyncGenerator<OpenEntry> {
  // Names are not decoded by yauzl, which would reject the whole zip for one name that points outside it.
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(refuse);
  try {
    if (zip.entryCount > MAX_MEMBERS) throw new ImageError(`it has more than ${MAX_MEMBERS} files`);
    const { size } = await stat(path);
    const budget = { left: Math.min(maxMb * 1e6, Math.max(size * MAX_RATIO, ALWAYS_ALLOWED_BYTES)) };
    let number = 0;
    for await (const entry of entries(zip)) {
      number++;
      const name = nameOf(entry);
      if (!name.endsWith("/") && !CLUTTER.test(name)) yield { zip, entry, name, budget, number };
    }
  } finally {
    zip.close();
  }
}

async function* entries(zip: ZipFile): AsyncGenerator<Entry> {
  const iterator = zip.eachEntry();
  for (;;) {
    const { done, value } = await iterator.next().catch(refuse);
    if (done) return;
    yield value;
  }
}

/** Returns the name with slashes, whichever system wrote the zip. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

async function* member(
  { zip, entry, name, budget, number }: OpenEntry,
  temporary: TemporaryFiles,
): AsyncGenerator<ZipMember> {
  const place = { path: name, number, count: zip.entryCount };
  const problem = problemOf(name, entry);
  if (problem) return yield { ...place, problem };
  const file = await temporary.make();
  try {
    await pipeline(await zip.openReadStreamPromise(entry), counted(budget), createWriteStream(file, { flags: "wx" }));
    yield { ...place, file };
  } catch (error) {
    if (error instanceof ImageError || isStorageError(error)) throw error;
    yield { ...place, problem: "it is damaged inside the zip" };
  } finally {
    await temporary.remove(file);
  }
}

/** Returns the reason why a file cannot be extracted from its zip; undefined if it can. */
export function problemOf(name: string, entry: Entry): string | undefined {
  if (validateFileName(name) !== null) return "its name points outside the zip";
  if (entry.isEncrypted()) return "it is encrypted";
  if (((entry.externalFileAttributes >>> 16) & KIND_OF_FILE) === SYMBOLIC_LINK) return "it is a link";
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) return "its compression is not supported";
  if (entry.uncompressedSize > ALWAYS_ALLOWED_BYTES && entry.uncompressedSize > entry.compressedSize * MAX_RATIO)
    return "its compression ratio is too high";
  return undefined;
}

/** Passes bytes through until the budget is used up, then fails with ImageError. */
export function counted(budget: { left: number }): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      budget.left -= chunk.length;
      if (budget.left < 0) done(new ImageError("it unpacks to more than the upload limit"));
      else done(null, chunk);
    },
  });
}

/**
 * Returns true for storage errors (full, read-only or unavailable disk, too many open files): the task fails and may be
 * retried.
 */
export const isStorageError = (error: unknown) =>
  /^(ENOSPC|EDQUOT|EROFS|EACCES|EMFILE|ENFILE|EIO)$/.test(codeOf(error));

function refuse(error: unknown): never {
  if (isStorageError(error)) throw error;
  if (codeOf(error) === "ENOENT") throw new ZipGone("it no longer exists", { cause: error });
  throw new ImageError("it is not a zip file, or it is damaged", { cause: error });
}

function checkedZip(name: string): string {
  if (!/^[0-9a-f-]{36}\.zip$/.test(name)) throw new Error("Not the name of a kept zip");
  return name;
}
