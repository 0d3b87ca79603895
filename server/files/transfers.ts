import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Env } from "../base/env";
import { hashFile } from "./paths/hashFile";
import { isZip } from "./zip/zip";
import { type ZipText, zipTexts } from "./zip/zipTexts";

/** Uploads that a task will process later, and exports that wait to be downloaded. */
export interface Transfers {
  /** Moves a temporary file to the uploads, and returns the key to find it again. Equal hashes mean equal bytes. */
  keepUpload(temporaryFile: string): Promise<{ key: string; hash: string; bytes: number }>;
  readUpload(key: string): Readable;
  /** Returns true if the upload is a zip, according to its first bytes; false if it is gone. */
  isZip(key: string): Promise<boolean>;
  /** Yields the files of an uploaded zip. Throws ImageError if it cannot be read. */
  zipTexts(key: string): AsyncGenerator<ZipText>;
  /** Returns the size of an upload in bytes; 0 if it is gone. */
  uploadBytes(key: string): Promise<number>;
  removeUpload(key: string): Promise<void>;
  listUploads(): Promise<StoredFile[]>;
  /**
   * Writes a file atomically: under another name first, flushed to disk, then renamed. If several callers write the
   * same file, the first to finish wins.
   */
  writeExport(file: string, chunks: AsyncIterable<string | Uint8Array>): Promise<{ bytes: number }>;
  /** Opens an export; returns undefined if the file is gone. */
  readExport(file: string): Promise<{ stream: Readable; bytes: number } | undefined>;
  removeExport(file: string): Promise<void>;
  listExports(): Promise<StoredFile[]>;
}

export interface StoredFile {
  name: string;
  modifiedMs: number;
}

const CHUNK_BYTES = 256 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function makeTransfers(env: Pick<Env, "DATA_DIR" | "MAX_UPLOAD_MB">): Transfers {
  const uploads = join(env.DATA_DIR, "uploads");
  const exports = join(env.DATA_DIR, "exports");

  return {
    async keepUpload(temporaryFile) {
      await mkdir(uploads, { recursive: true });
      const hash = await hashFile(temporaryFile);
      const { size } = await stat(temporaryFile);
      const key = randomUUID();
      await rename(temporaryFile, join(uploads, key));
      return { key, hash, bytes: size };
    },
    readUpload: (key) => createReadStream(within(uploads, key), { highWaterMark: CHUNK_BYTES }),
    isZip: (key) => isZip(within(uploads, key)).catch(() => false),
    zipTexts: (key) => zipTexts(within(uploads, key), env.MAX_UPLOAD_MB),
    uploadBytes: async (key) => (await stat(within(uploads, key)).catch(() => undefined))?.size ?? 0,
    removeUpload: (key) => rm(within(uploads, key), { force: true }),
    listUploads: () => list(uploads),

    async writeExport(file, chunks) {
      await mkdir(exports, { recursive: true });
      const draft = within(exports, `${file}.${randomUUID()}.part`);
      try {
        await pipeline(Readable.from(chunks), createWriteStream(draft, { flush: true }));
        const { size } = await stat(draft);
        await rename(draft, within(exports, file));
        await syncFolder(exports);
        await removeDrafts(exports, file);
        return { bytes: size };
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async readExport(file) {
      try {
        const handle = await open(within(exports, file));
        const { size } = await handle.stat();
        return { stream: handle.createReadStream({ highWaterMark: CHUNK_BYTES }), bytes: size };
      } catch {
        return undefined;
      }
    },
    removeExport: (file) => rm(within(exports, file), { force: true }),
    listExports: () => list(exports),
  };
}

/** Returns the path of a stored file. Names come from our own tables; the check is a second line of defence. */
function within(folder: string, name: string): string {
  if (!NAME.test(name)) throw new Error("Not the name of a stored file");
  return join(folder, name);
}

/** Removes incomplete files of interrupted attempts to write the same export. */
async function removeDrafts(folder: string, file: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(`${file}.`) && name.endsWith(".part")) await rm(join(folder, name), { force: true });
}

/** Flushes a folder, which makes new names durable. Some systems cannot open folders and do not need this. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function list(folder: string): Promise<StoredFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files: StoredFile[] = [];
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) files.push({ name, modifiedMs: found.mtimeMs });
  }
  return files;
}
