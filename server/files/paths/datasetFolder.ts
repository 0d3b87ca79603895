import { lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { conflict } from "../../base/errors";

const MAX_FOLDER_BYTES = 200;
const MAX_TRIES = 1000;
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/**
 * Creates a dataset's folder under the root. It is named after the dataset, as far as file systems allow, with a number
 * appended if the name is taken. An existing folder that belongs to no dataset is adopted.
 */
export async function makeFolder(
  root: string,
  datasetName: string,
  isTaken: (folder: string) => Promise<boolean>,
): Promise<string> {
  await mkdir(root, { recursive: true });
  const plain = folderNameFor(datasetName);
  for (let number = 1; number <= MAX_TRIES; number++) {
    const wanted = number === 1 ? plain : `${plain}-${number}`;
    if (await isTaken(wanted)) continue;
    const folder = await adoptOrMake(root, wanted);
    if (folder !== undefined && (folder === wanted || !(await isTaken(folder)))) return folder;
  }
  throw conflict("No folder could be created for a dataset of this name.");
}

/**
 * Returns the name as a path segment valid on every file system: no separators, device names, trailing dots or hidden
 * names.
 */
export function folderNameFor(datasetName: string): string {
  const plain = datasetName
    .normalize("NFC")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, "_")
    .replace(/^[. ]+/, "_");
  const cut = cutToBytes(plain, MAX_FOLDER_BYTES).replace(/[. ]+$/, "");
  if (cut === "") return "dataset";
  return RESERVED.test(cut) ? `${cut}_` : cut;
}

function cutToBytes(text: string, bytes: number): string {
  let cut = "";
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    cut += character;
  }
  return cut;
}

/** Returns the folder's name as on disk; undefined if the path is taken by something other than a folder. */
async function adoptOrMake(root: string, wanted: string): Promise<string | undefined> {
  const made = await mkdir(join(root, wanted)).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      return false;
    },
  );
  if (made) return wanted;
  if (!(await lstat(join(root, wanted))).isDirectory()) return undefined;
  const names = await readdir(root);
  return names.includes(wanted) ? wanted : names.find((name) => name.toLowerCase() === wanted.toLowerCase());
}
