import { constants } from "node:fs";
import { copyFile, link, rm, unlink } from "node:fs/promises";
import { codeOf } from "../../base/errors";

/**
 * Moves a file to a free path; returns false if the path is taken. If several callers move the same file, one succeeds;
 * the others reject with ENOENT and leave nothing behind.
 */
export async function moveIfFree(file: string, target: string): Promise<boolean> {
  try {
    await link(file, target).catch((error) => {
      if (!["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(codeOf(error))) throw error;
      return copyFile(file, target, constants.COPYFILE_EXCL);
    });
    // Not rm, which also succeeds if another caller was faster.
    await unlink(file).catch(async (error) => {
      if (codeOf(error) === "ENOENT") await rm(target, { force: true });
      throw error;
    });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
