import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { MissingFolder } from "./imageError";
import type { FileState } from "./openImageFile";
import { hasControl, isWithinFolder, locateFolder, MAX_DEPTH } from "./safePath";

/** A regular file inside a dataset's folder, or a place that could not be read, with the reason. */
export type Found = ({ path: string } & FileState) | { path: string; problem: string };

/** Files that somebody is still copying bear such names. */
const UNFINISHED = /\.(part|partial|crdownload|download|filepart|tmp|swp)$|~$/i;
const MAX_PATH = 1000;

/**
 * All regular files below a dataset's folder, folder by folder. Left out: links, whatever they lead to, pipes, sockets
 * and devices; names that begin with a dot, with everything below them; unfinished downloads. Without links there are
 * no loops. Throws MissingFolder when the folder itself cannot be read.
 */
export async function* walk(root: string, folder: string): AsyncGenerator<Found> {
  const top = locateFolder(root, folder);
  const inPlace = await isWithinFolder(root, folder, join(top, "file")).catch(() => false);
  if (!inPlace) throw new MissingFolder(`The folder "${folder}" is not there. Is its disk mounted?`);
  const waiting = [""];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    yield* walkFolder(top, inner, waiting);
  }
}

async function* walkFolder(top: string, inner: string, waiting: string[]): AsyncGenerator<Found> {
  const entries = await listFolder(join(top, inner)).catch((error: NodeJS.ErrnoException) => error);
  if (entries instanceof Error) {
    if (inner === "") throw new MissingFolder(`The dataset's folder cannot be read (${entries.code}).`);
    yield { path: inner, problem: `the folder cannot be read (${entries.code})` };
    return;
  }
  for (const entry of entries) {
    const path = inner + entry.name;
    if (entry.name.startsWith(".") || UNFINISHED.test(entry.name)) continue;
    if (entry.name.includes("\u{fffd}")) yield { path, problem: "its name is not written in UTF-8" };
    else if (hasControl(entry.name)) yield { path, problem: "its name has an invisible character; rename it" };
    else if (path.length > MAX_PATH) yield { path, problem: "its path is too long" };
    else if (entry.isDirectory()) {
      if (path.split("/").length < MAX_DEPTH) waiting.push(`${path}/`);
      else yield { path, problem: "the folder is too deep" };
    } else if (entry.isFile()) yield* found(top, path);
  }
}

/** Sorted, so that a scan goes the same way each time. */
async function listFolder(folder: string): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(folder, { bufferSize: 1000 })) entries.push(entry);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Nothing when the file went away meanwhile. */
async function* found(top: string, path: string): AsyncGenerator<Found> {
  const state = await lstat(join(top, path)).catch((error: NodeJS.ErrnoException) => error);
  if (state instanceof Error) {
    if (state.code !== "ENOENT") yield { path, problem: `it cannot be read (${state.code})` };
  } else if (state.isFile()) yield { path, bytes: state.size, modifiedMs: Math.trunc(state.mtimeMs) };
}
