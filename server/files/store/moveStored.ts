import { lstat, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "../../base/errors";
import { moveIfFree } from "../paths/moveIfFree";
import { existingImageFile } from "../paths/openImageFile";
import { locate } from "../paths/safePath";
import type { Moved } from "../storage/storage";
import { errorForUser, flush, makeParents } from "./storeImage";

/**
 * Moves a stored image within its dataset's folder; flushed to disk when the promise resolves. Never overwrites a file.
 */
export async function moveStored(root: string, folder: string, from: string, to: string): Promise<Moved> {
  const file = await existingImageFile(root, folder, from);
  if (!file) return "gone";
  const target = locate(root, folder, to);
  try {
    await makeParents(root, folder, target);
    if (!(await moveIfFree(file, target)) && !(await finishMove(file, target))) return "taken";
    for (const changed of [dirname(target), dirname(file)]) await flush(changed);
    return "moved";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "gone";
    throw errorForUser(error, to);
  }
}

/** Removes the source if it is the same file as the target: a killed process may have left both names. */
async function finishMove(file: string, target: string): Promise<boolean> {
  const [one, other] = [await lstat(file), await lstat(target)];
  if (one.ino !== other.ino || one.dev !== other.dev) return false;
  await rm(file);
  return true;
}
