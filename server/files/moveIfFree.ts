import { constants } from "node:fs";
import { copyFile, link, rm } from "node:fs/promises";
import { codeOf } from "../errors";

/** Moves a file to a place that nothing has. False when something else has the place by now. */
export async function moveIfFree(file: string, target: string): Promise<boolean> {
  try {
    await link(file, target).catch((error) => {
      if (!["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(codeOf(error))) throw error;
      return copyFile(file, target, constants.COPYFILE_EXCL);
    });
    await rm(file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
