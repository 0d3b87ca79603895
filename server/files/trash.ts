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
 * Files of permanently deleted images and datasets, kept for a while in a hidden folder among the datasets' folders, so
 * that moving a file there is a rename on the same disk. An entry is named after its former row ("image-12",
 * "dataset-5"); if that row still exists, the entry can be put back. This repairs a process killed between moving the
 * file and deleting the row, and restores the files of rows that an older backup brings back.
 */
export interface Trash {
  /**
   * Moves an image's file into an entry and deletes its cached views. Returns false if the file does not exist.
   * `durable` flushes the move to disk.
   */
  discard(entry: string, image: Discarded, options?: { durable?: boolean }): Promise<boolean>;
  /** Moves the wanted files of an entry back to their paths in the dataset's folder; never overwrites another file. */
  putBack(entry: string, folder: string, isWanted: (path: string) => Promise<boolean>): Promise<void>;
  /** Removes empty sub-folders of a dataset's folder, and the folder itself if nothing is left. */
  removeEmptyFolders(folder: string): Promise<void>;
  entries(): Promise<{ name: string; modifiedMs: number }[]>;
  remove(entry: string): Promise<void>;
}

/** Location and hash of an image, from its row and its dataset's row. */
export interface Discarded {
  folder: string;
  path: string;
  hash: string;
}

/** Name of the trash folder. It starts with a dot, as no dataset's folder does, and scans skip such names. */
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

/** Moves a file; returns false if it no longer exists. Copies it if the folder is on another disk. */
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

/** Returns the paths of the regular files below a folder, relative to it. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(undefinedWhenGone);
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Removes empty folders, innermost first. Keeps links and folders that are not empty. */
async function removeEmpty(folder: string): Promise<void> {
  const state = await lstat(folder).catch(undefinedWhenGone);
  if (!state?.isDirectory()) return;
  const inner = await readdir(folder, { withFileTypes: true }).catch(undefinedWhenGone);
  for (const entry of inner ?? []) if (entry.isDirectory()) await removeEmpty(join(folder, entry.name));
  await rmdir(folder).catch((error) => {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT", "EBUSY", "EACCES", "EPERM"].includes(codeOf(error))) throw error;
  });
}
