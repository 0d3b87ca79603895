import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { codeOf } from "../../base/errors";
import { isWithinFolder, locate } from "./safePath";

/** Size in bytes and time of change in milliseconds since 1970: detects a changed file without reading it. */
export interface FileState {
  bytes: number;
  modifiedMs: number;
}

/** A file that is open for reading. The caller must read its stream to the end or call `close`. */
export interface OpenFile extends FileState {
  /**
   * `start` and `end` are byte offsets, both inclusive. The stream closes the file. Throws before the first byte if the
   * file cannot be read at all.
   */
  stream(start?: number, end?: number): Promise<Readable>;
  close(): Promise<void>;
}

const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EISDIR", "ENXIO", "ENAMETOOLONG"]);

/**
 * Returns size and time of a regular file; undefined if there is no regular file at the path, for example only a link.
 */
export async function fileState(file: string): Promise<FileState | undefined> {
  const state = await lstat(file).catch(undefinedWhenGone);
  return state?.isFile() ? { bytes: state.size, modifiedMs: Math.trunc(state.mtimeMs) } : undefined;
}

/**
 * Returns the full path of a stored image; undefined unless it is a regular file that lies in its dataset's folder
 * after all links are resolved.
 */
export async function existingImageFile(root: string, folder: string, path: string): Promise<string | undefined> {
  const file = locate(root, folder, path);
  const within = await isWithinFolder(root, folder, file).catch(undefinedWhenGone);
  return within && (await fileState(file)) ? file : undefined;
}

/**
 * Opens a stored image; returns undefined if it does not exist, is not a regular file, or a link leads out of the
 * dataset.
 */
export async function openImageFile(root: string, folder: string, path: string): Promise<OpenFile | undefined> {
  const file = await existingImageFile(root, folder, path);
  return file === undefined ? undefined : openRegular(file);
}

/** Opens a regular file without following links and without blocking on a pipe; returns undefined if there is none. */
export async function openRegular(file: string): Promise<OpenFile | undefined> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(file, flags).catch(undefinedWhenGone);
  if (!handle) return undefined;
  const state = await handle.stat();
  if (!state.isFile()) {
    await handle.close();
    return undefined;
  }
  return {
    bytes: state.size,
    modifiedMs: Math.trunc(state.mtimeMs),
    stream: async (start, end) => handle.createReadStream({ start, end, highWaterMark: 256 * 1024 }),
    close: () => handle.close(),
  };
}

export function undefinedWhenGone(error: unknown): undefined {
  if (!GONE.has(codeOf(error))) throw error;
  return undefined;
}
