import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { MissingFolder } from "./imageError";
import type { FileState } from "./openImageFile";
import { hasControl, isTooLong, isWithinFolder, locateFolder, MAX_DEPTH } from "./safePath";

/** A regular file inside a dataset's folder, or a path that could not be read, with the reason. */
export type ListedFile = ({ path: string } & FileState) | { path: string; problem: string };

/** Names of files that are still being copied or downloaded. */
export const UNFINISHED = /\.(part|partial|crdownload|download|filepart|tmp|swp)$|~$/i;

/**
 * Lists all regular files below a dataset's folder, folder by folder. Skips links of any kind (so there are no loops),
 * pipes, sockets and devices; names that start with a dot, and everything below them; and unfinished downloads. Throws
 * MissingFolder if the folder itself cannot be read.
 */
export async function* listFiles(root: string, folder: string): AsyncGenerator<ListedFile> {
  const top = locateFolder(root, folder);
  const inPlace = await isWithinFolder(root, folder, join(top, "file")).catch(() => false);
  if (!inPlace) throw new MissingFolder(`The folder "${folder}" does not exist. Is its disk mounted?`);
  const waiting = [""];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    yield* filesOfFolder(top, inner, waiting);
  }
}

/** Lists the files directly in a folder, and adds its sub-folders to `waiting`. */
async function* filesOfFolder(top: string, inner: string, waiting: string[]): AsyncGenerator<ListedFile> {
  const entries = await sortedEntries(join(top, inner)).catch((error: NodeJS.ErrnoException) => error);
  if (entries instanceof Error) {
    if (inner === "") throw new MissingFolder(`The dataset's folder cannot be read (${entries.code}).`);
    yield { path: inner, problem: `the folder cannot be read (${entries.code})` };
    return;
  }
  for (const entry of entries) {
    const path = inner + entry.name;
    if (entry.name.startsWith(".") || UNFINISHED.test(entry.name)) continue;
    const problem = problemOfName(entry.name, path);
    if (problem) yield { path, problem };
    else if (entry.isDirectory()) {
      if (path.split("/").length < MAX_DEPTH) waiting.push(`${path}/`);
      else yield { path, problem: TOO_DEEP };
    } else if (entry.isFile()) yield* found(top, path);
  }
}

/** Returns the reason why a file cannot be an image, from its name and path; undefined if there is none. */
export function problemOfName(name: string, path: string): string | undefined {
  if (name.includes("\u{fffd}")) return "its name is not written in UTF-8";
  if (hasControl(name)) return "its name has an invisible character; rename it";
  if (isTooLong(path)) return "its path is too long";
  return undefined;
}

export const TOO_DEEP = "the folder is too deep";

/** Returns a folder's entries, sorted so that every scan has the same order. */
async function sortedEntries(folder: string): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(folder, { bufferSize: 1000 })) entries.push(entry);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Yields the file, or nothing if it was deleted in the meantime. */
async function* found(top: string, path: string): AsyncGenerator<ListedFile> {
  const state = await lstat(join(top, path)).catch((error: NodeJS.ErrnoException) => error);
  if (state instanceof Error) {
    if (state.code !== "ENOENT") yield { path, problem: `it cannot be read (${state.code})` };
  } else if (state.isFile()) yield { path, bytes: state.size, modifiedMs: Math.trunc(state.mtimeMs) };
}
