import { copyFile, lstat, mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../../base/errors";
import { moveIfFree } from "../paths/moveIfFree";
import { fileState, undefinedWhenGone } from "../paths/openImageFile";
import { isWithinFolder, locate, locateFolder } from "../paths/safePath";
import { checkedEntry, isEntry, type TrashStorage } from "../storage/storage";
import { flush } from "../store/storeImage";

/** Name of the trash folder. It starts with a dot, as no dataset's folder does, and scans skip such names. */
const TRASH = ".trash";

/**
 * Keeps the trash in a hidden folder among the datasets' folders, so that a move there is a rename on the same disk.
 */
export function folderOfTrash(root: string): TrashStorage {
  const trash = join(root, TRASH);
  const place = (entry: string) => join(trash, checkedEntry(entry));
  return {
    async discard(entry, folder, path, { durable }) {
      const target = join(place(entry), path);
      const file = locate(root, folder, path);
      if (!(await fileState(file)) || !(await isWithinFolder(root, folder, file).catch(undefinedWhenGone)))
        return false;
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
      const entries = names.filter(isEntry).map(async (name) => {
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
