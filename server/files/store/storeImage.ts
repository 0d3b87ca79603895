import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { badRequest, codeOf, unavailable } from "../../base/errors";
import { hashFile } from "../paths/hashFile";
import { isWithinFolder, locate } from "../paths/safePath";
import type { Stored } from "../storage/storage";

interface Storing {
  root: string;
  folder: string;
  path: string;
  /** The uploaded file; removed once it is stored. */
  file: string;
  /** SHA-256 of the uploaded file, in hexadecimal. */
  hash: string;
}

/**
 * Moves an uploaded file to its path: flushes it to disk, then links it in one step that fails if the path is taken. A
 * crash leaves no incomplete image, and nothing but images in the dataset's folder if that is on the same disk as the
 * temporary files. Otherwise the file is first copied to a hidden name next to its path, which scans skip.
 */
export async function storeImage({ root, folder, path, file, hash }: Storing): Promise<Stored> {
  const target = locate(root, folder, path);
  try {
    await makeParents(root, folder, target);
    await flush(file);
    const isNew = (await linkOnce(file, target)) ?? (await linkDraft(file, target));
    if (!isNew) return (await hashFile(target)) === hash ? "same" : "different";
    await flush(dirname(target));
    await rm(file, { force: true });
    return "stored";
  } catch (error) {
    throw errorForUser(error, path);
  }
}

/** Creates the parent folders one by one, so that none is created behind a link. */
export async function makeParents(root: string, folder: string, target: string): Promise<void> {
  const top = join(root, folder);
  const inner = dirname(target).slice(top.length).split(/[\\/]/).filter(Boolean);
  let parent = top;
  for (const segment of ["", ...inner]) {
    parent = join(parent, segment);
    await mkdir(parent).catch((error) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    if (!(await lstat(parent)).isDirectory()) throw badRequest(`"${basename(parent)}" is not a folder.`);
  }
  if (!(await isWithinFolder(root, folder, target))) throw badRequest("The path leads out of the dataset.");
}

async function moveOrCopy(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error) => {
    if (codeOf(error) !== "EXDEV") throw error;
    return copyFile(from, to, constants.COPYFILE_EXCL);
  });
}

/**
 * Hard-links the file; returns false if the path is taken, undefined if hard links are not possible here (other disk or
 * file system).
 */
async function linkOnce(file: string, target: string): Promise<boolean | undefined> {
  try {
    await link(file, target);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return false;
    if (!["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(code)) throw error;
    return undefined;
  }
}

async function linkDraft(file: string, target: string): Promise<boolean> {
  const draft = join(dirname(target), `.${randomUUID()}.part`);
  try {
    await moveOrCopy(file, draft);
    await flush(draft);
    return (await linkOnce(draft, target)) ?? (await renameIfFree(draft, target));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Renames the file if the path is free. Not atomic, but the best option on a file system without links. */
async function renameIfFree(draft: string, target: string): Promise<boolean> {
  const isThere = await lstat(target).then(
    () => true,
    () => false,
  );
  if (!isThere) await rename(draft, target);
  return !isThere;
}

/** Flushes a file or a folder's entries to disk. Some systems cannot do that for folders. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r").catch((error) => {
    if (process.platform === "win32") return undefined;
    throw error;
  });
  if (!handle) return;
  try {
    await handle.sync();
  } catch (error) {
    if (!["EINVAL", "EPERM", "ENOTSUP", "EISDIR"].includes(codeOf(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Returns the error to show to the user if the disk rejects a file; returns other errors unchanged. */
export function errorForUser(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case "EACCES":
    case "EROFS":
    case "EPERM":
      return unavailable("The dataset's folder cannot be written to.", 60);
    case "ENAMETOOLONG":
      return badRequest("The path is too long.");
    case "ENOTDIR":
      return badRequest(`A part of "${path}" is a file, not a folder.`);
    default:
      return error;
  }
}
