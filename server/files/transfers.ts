import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Env } from "../base/env";
import { hashFile } from "./paths/hashFile";
import { ZipGone } from "./paths/imageError";
import type { OpenFile } from "./paths/openImageFile";
import type { Storage, StoredFile } from "./storage/storage";
import { beginsLikeZip } from "./zip/zip";
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
  /** Writes a file, all or nothing. If several callers write the same file, the first to finish wins. */
  writeExport(file: string, chunks: AsyncIterable<string | Uint8Array>): Promise<{ bytes: number }>;
  /** Opens an export; returns undefined if the file is gone. */
  readExport(file: string): Promise<OpenFile | undefined>;
  removeExport(file: string): Promise<void>;
  listExports(): Promise<StoredFile[]>;
}

export function makeTransfers(
  { uploads, exports }: Pick<Storage, "uploads" | "exports">,
  { MAX_UPLOAD_MB }: Pick<Env, "MAX_UPLOAD_MB">,
): Transfers {
  return {
    async keepUpload(temporaryFile) {
      const hash = await hashFile(temporaryFile);
      const { size } = await stat(temporaryFile);
      const key = randomUUID();
      await uploads.keep(key, temporaryFile);
      return { key, hash, bytes: size };
    },
    readUpload: (key) => uploads.stream(key),
    isZip: async (key) => {
      const file = await uploads.open(key);
      return file !== undefined && beginsLikeZip(Buffer.concat(await (await file.stream(0, 3)).toArray()));
    },
    async *zipTexts(key) {
      const file = await uploads.local(key);
      if (!file) throw new ZipGone("it no longer exists");
      try {
        yield* zipTexts(file.path, MAX_UPLOAD_MB);
      } finally {
        await file.release();
      }
    },
    uploadBytes: async (key) => (await uploads.state(key))?.bytes ?? 0,
    removeUpload: (key) => uploads.remove(key),
    listUploads: () => uploads.list(),
    writeExport: (file, chunks) => exports.write(file, chunks),
    readExport: (file) => exports.open(file),
    removeExport: (file) => exports.remove(file),
    listExports: () => exports.list(),
  };
}
