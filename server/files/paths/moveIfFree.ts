import { constants } from "node:fs";
import { copyFile, link, rm, unlink } from "node:fs/promises";
import { codeOf } from "../../base/errors";

/**
 * Moves a file to a place that nothing has. False when something else has the place by now. Of several who move the same
 * file one does; the others reject with ENOENT and leave nothing behind.
 */
export async function moveIfFree(file: string, target: string): Promise<boolean> {
  try {
    await link(file, target).catch((error) => {
      if (!["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(codeOf(error))) throw error;
      return copyFile(file, target, constants.COPYFILE_EXCL);
    });
    // Not rm, which is content when somebody else was quicker.
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
