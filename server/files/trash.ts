import { copyFile, lstat, mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Env } from "../base/env";
import { codeOf } from "../base/errors";
import { placeInCache } from "./decode/viewCache";
import { viewNames } from "./decode/views";
import { moveIfFree } from "./paths/moveIfFree";
import { fileState, undefinedWhenGone } from "./paths/openImageFile";
import { isWithinFolder, locate, locateFolder } from "./paths/safePath";
import { flush } from "./store/storeImage";

/**
 * Keeps the files of permanently deleted things for a while, in a hidden folder among the datasets' folders, so that
 * moving a file there is a rename on the same disk. An entry is named after the row it belonged to ("image-12",
 * "dataset-5"): while that row exists the entry can be put back. That repairs a kill between moving the file and
 * deleting the row, and restores the files of rows that an older backup brings back.
 */
export interface Trash {
  /** Moves an image's file into an entry and forgets its views. False when no file is there. `durable`: on disk for good. */
  discard(entry: string, image: Discarded, options?: { durable?: boolean }): Promise<boolean>;
  /** Moves those of an entry's files that are wanted back to their paths in the dataset's folder; never over another file. */
  putBack(entry: string, folder: string, isWanted: (path: string) => Promise<boolean>): Promise<void>;
  /** Removes the sub-folders of a dataset's folder that are empty, and the folder itself if it is then. */
  removeEmptyFolders(folder: string): Promise<void>;
  entries(): Promise<{ name: string; modifiedMs: number }[]>;
  remove(entry: string): Promise<void>;
}

/** An image's place, as its row and its dataset's say it. */
export interface Discarded {
  folder: string;
  path: string;
  hash: string;
}

/** No dataset's folder begins with a dot, and scans leave such names out. */
const TRASH = ".trash";
const ENTRY = /^[a-z]+-\d+$/;

export function makeTrash({ DATASETS_DIR: root, DATA_DIR }: Pick<Env, "DATA_DIR" | "DATASETS_DIR">): Trash {
  const trash = join(root, TRASH);
  const cache = join(DATA_DIR, "cache", "pictures");
  const place = (entry: string) => {
    if (!ENTRY.test(entry)) throw new Error("Not the name of an entry of the trash");
    return join(trash, entry);
  };

  return {
    async discard(entry, image, { durable = false } = {}) {
      const { folder, path } = image;
      const target = join(place(entry), path);
      const file = locate(root, folder, path);
      const state = await fileState(file);
      if (!state || !(await isWithinFolder(root, folder, file).catch(undefinedWhenGone))) return false;
      for (const name of viewNames(image, state)) await rm(placeInCache(cache, name), { force: true });
      await mkdir(dirname(target), { recursive: true });
      if (!(await move(file, target))) return false;
      if (durable) for (const changed of [target, dirname(target), dirname(file)]) await flush(changed);
      return true;
    },

    async putBack(entry, folder, isWanted) {
      const from = place(entry);
      const to = locateFolder(root, folder);
      for (const path of await filesIn(from)) {
        if (!(await isWanted(path))) continue;
        const target = join(to, path);
        await mkdir(dirname(target), { recursive: true });
        if (!(await isWithinFolder(root, folder, target))) continue;
        if (await moveIfFree(join(from, path), target)) await flush(dirname(target));
      }
      await removeEmpty(from);
    },

    removeEmptyFolders: (folder) => removeEmpty(locateFolder(root, folder)),

    async entries() {
      const names = await readdir(trash).catch(() => []);
      const entries = names
        .filter((name) => ENTRY.test(name))
        .map(async (name) => {
          const state = await stat(join(trash, name)).catch(() => undefined);
          return state ? [{ name, modifiedMs: state.mtimeMs }] : [];
        });
      return (await Promise.all(entries)).flat();
    },

    remove: (entry) => rm(place(entry), { recursive: true, force: true }),
  };
}

/** False when the file went away meanwhile. Between two disks (a folder that is a disk of its own) it is copied. */
async function move(file: string, target: string): Promise<boolean> {
  try {
    await rename(file, target);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    if (codeOf(error) !== "EXDEV") throw error;
    await copyFile(file, target);
    await flush(target);
    await rm(file);
  }
  return true;
}

/** Paths of the regular files below a folder, relative to it. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(undefinedWhenGone);
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** From the innermost out. What is not empty, and a link, stays. */
async function removeEmpty(folder: string): Promise<void> {
  const state = await lstat(folder).catch(undefinedWhenGone);
  if (!state?.isDirectory()) return;
  const inner = await readdir(folder, { withFileTypes: true }).catch(undefinedWhenGone);
  for (const entry of inner ?? []) if (entry.isDirectory()) await removeEmpty(join(folder, entry.name));
  await rmdir(folder).catch((error) => {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT", "EBUSY", "EACCES", "EPERM"].includes(codeOf(error))) throw error;
  });
}
