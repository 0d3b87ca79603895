import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { badRequest, codeOf, unavailable } from "../../base/errors";
import { hashFile } from "../paths/hashFile";
import { isWithinFolder, locate } from "../paths/safePath";

/** `same`, `different`: a file is there already, with the same or other bytes, and stays as it is. */
export type Stored = "stored" | "same" | "different";

interface Storing {
  root: string;
  folder: string;
  path: string;
  /** The uploaded file; gone afterwards when it was stored. */
  file: string;
  /** Its SHA-256. */
  hash: string;
}

/**
 * Moves an uploaded file to its place: written through to the disk, then named in one step that fails where a file is.
 * A crash leaves no half image, and nothing but images in the dataset's folder where that lies on the disk of the
 * temporary files. Where it does not, the file is first copied beside its place under a hidden name, which scans leave out.
 */
export async function storeImage({ root, folder, path, file, hash }: Storing): Promise<Stored> {
  const target = locate(root, folder, path);
  try {
    await makeParents(root, folder, target);
    await flush(file);
    const isNew = (await nameOnce(file, target)) ?? (await nameByDraft(file, target));
    if (!isNew) return (await hashFile(target)) === hash ? "same" : "different";
    await flush(dirname(target));
    await rm(file, { force: true });
    return "stored";
  } catch (error) {
    throw answerTo(error, path);
  }
}

/** Folders one by one, so that none is made behind a link. */
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

/** A hard link fails where something is. Undefined where there are no links, or not between two disks. */
async function nameOnce(file: string, target: string): Promise<boolean | undefined> {
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

async function nameByDraft(file: string, target: string): Promise<boolean> {
  const draft = join(dirname(target), `.${randomUUID()}.part`);
  try {
    await moveOrCopy(file, draft);
    await flush(draft);
    return (await nameOnce(draft, target)) ?? (await nameAfterLooking(draft, target));
  } finally {
    await rm(draft, { force: true });
  }
}

/** On a file system without links this is the best there is. */
async function nameAfterLooking(draft: string, target: string): Promise<boolean> {
  const isThere = await lstat(target).then(
    () => true,
    () => false,
  );
  if (!isThere) await rename(draft, target);
  return !isThere;
}

/** Waits until a file or a folder's list of names is on the disk. Some systems cannot do that for folders. */
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

/** Returns the error for the user when the disk refuses a file. */
export function answerTo(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case "EACCES":
    case "EROFS":
    case "EPERM":
      return unavailable("The dataset's folder cannot be written.", 60);
    case "ENAMETOOLONG":
      return badRequest("The path is too long.");
    case "ENOTDIR":
      return badRequest(`A part of "${path}" is a file, not a folder.`);
    default:
      return error;
  }
}
