import { createHash } from "node:crypto";
import { PassThrough, pipeline, Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { codeOf } from "../../base/errors";
import type { Files } from "../../files/files";
import type { WrittenEntry } from "../exports/coco/exportDataset";
import { entryLine } from "./entries";

/** A version keeps two compressed files among the exports: its COCO file, and the list of its entries. */
export interface VersionFiles {
  file: string;
  entries_file: string;
}

/** Returns the names of both files. */
export const filesOf = ({ file, entries_file }: VersionFiles): string[] => [file, entries_file];

/**
 * Returns the files that an attempt of a task writes. Each attempt has its own, since a file that exists already would
 * stay as an earlier attempt wrote it, at another moment.
 */
export const filesOfAttempt = (taskId: number, attempt: number): VersionFiles => ({
  file: `version-${taskId}-${attempt}.json.gz`,
  entries_file: `version-${taskId}-${attempt}.entries.gz`,
});

/**
 * Writes both files, all or nothing. `text` receives a function for the entries of the text that it yields. Returns
 * the length of the text in bytes and its SHA-256.
 */
export async function writeVersionFiles(
  { transfers }: Files,
  { file, entries_file }: VersionFiles,
  text: (onEntry: (entry: WrittenEntry) => void) => AsyncIterable<string>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const lines = new PassThrough();
  async function* measured() {
    for await (const piece of text((entry) => lines.write(entryLine(entry)))) {
      const chunk = Buffer.from(piece);
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
    lines.end();
  }
  const content = compressed(Readable.from(measured()));
  content.once("error", (error) => lines.destroy(error));
  const written = await Promise.allSettled([
    transfers.writeExport(file, content),
    transfers.writeExport(entries_file, compressed(lines)).catch((error) => {
      content.destroy(error);
      throw error;
    }),
  ]);
  const errors = written.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  // Node ends the other file's streams with an error of its own, which may arrive before the cause.
  if (errors.length > 0) throw errors.find((error) => codeOf(error) !== "ABORT_ERR") ?? errors[0];
  return { bytes, sha256: hash.digest("hex") };
}

/** Opens one of the files. Returns undefined if it is gone. */
export async function readVersionFile({ transfers }: Files, file: string): Promise<Readable | undefined> {
  const open = await transfers.readExport(file);
  return open && pipeline(await open.stream(), createGunzip(), ignore);
}

/** Errors reach the reader of the last stream. */
const ignore = () => undefined;
const compressed = (source: Readable): Readable => pipeline(source, createGzip(), ignore);
