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

/** Files on their way in and out: uploads that a task works on later, and exports that wait to be fetched. */
export interface Transfers {
  /** Takes a temporary file over. The key finds it again; equal hashes mean equal bytes. */
  keepUpload(temporaryFile: string): Promise<{ key: string; hash: string; bytes: number }>;
  readUpload(key: string): Readable;
  /** By its first bytes. False when it is gone. */
  isZip(key: string): Promise<boolean>;
  /** The files of an uploaded zip. Throws ImageError when it cannot be read. */
  zipTexts(key: string): AsyncGenerator<ZipText>;
  /** 0 when it is gone. */
  uploadBytes(key: string): Promise<number>;
  removeUpload(key: string): Promise<void>;
  listUploads(): Promise<StoredFile[]>;
  /**
   * Writes a file whole or not at all: under another name first, forced to the disk, then renamed. Of several writers of
   * one file the first to end wins.
   */
  writeExport(file: string, chunks: AsyncIterable<string | Uint8Array>): Promise<{ bytes: number }>;
  /** Undefined when the file is gone. */
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

/** Names come from our own tables and are checked all the same. */
function within(folder: string, name: string): string {
  if (!NAME.test(name)) throw new Error("Not the name of a stored file");
  return join(folder, name);
}

/** Removes what interrupted attempts at the same file left. */
async function removeDrafts(folder: string, file: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(`${file}.`) && name.endsWith(".part")) await rm(join(folder, name), { force: true });
}

/** A new name is on the disk when its folder is. Some systems cannot open folders, and need not. */
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
