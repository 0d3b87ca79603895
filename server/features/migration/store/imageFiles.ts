import { constants, copyFile, link, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Size } from "../../../../shared/entities/image";
import { HttpError } from "../../../base/errors";
import type { ImageFacts } from "../../../files/decode/probe";
import { ImageError } from "../../../files/paths/imageError";
import type { Note } from "../map/fields";
import type { ImagePlace } from "../map/paths";
import type { MigratedDataset, Migration } from "./context";

/** Hash of an image whose file was not found. A scan, or the command again, replaces it when the file is there. */
export const MISSING = "missing";

const TYPES: Record<string, string> = { png: "png", gif: "gif", bmp: "bmp", tif: "tiff", tiff: "tiff", webp: "webp" };

/** Returns facts of an image without a file, whose size the old database knows. */
export function missingFile({ width, height }: Size, path: string): ImageFacts {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const mime = `image/${TYPES[extension] ?? "jpeg"}`;
  return { mime, width, height, orientation: 1, bytes: 0, modifiedMs: 0, hash: MISSING };
}

/** Stores the file of an image at its path, if it is found. Notes why it cannot be used otherwise. */
export async function findFile(
  migration: Migration,
  { folder }: MigratedDataset,
  place: ImagePlace,
  note: Note,
): Promise<ImageFacts | undefined> {
  const { files, options } = migration;
  const from = await existing(options.images, place.candidates);
  if (from === undefined) {
    note("has no file in the folder of images");
    return undefined;
  }
  try {
    if (options.isDryRun) return await files.images.probeUpload(from);
    return await storeFile(migration, folder, place.path, from);
  } catch (error) {
    if (error instanceof ImageError) note(`has a file that cannot be used: ${error.message}`);
    else if (error instanceof HttpError && error.status < 500)
      note(`has a file that cannot be stored: ${error.message}`);
    else throw error;
    return undefined;
  }
}

async function existing(root: string, candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    const path = join(root, candidate);
    const state = await stat(path).catch(() => undefined);
    if (state?.isFile()) return path;
  }
  return undefined;
}

/** Copies a file to its path. A file that is there already, from a run that was stopped or in place, stays. */
async function storeFile(
  { files, options }: Migration,
  folder: string,
  path: string,
  from: string,
): Promise<ImageFacts> {
  const { images } = files;
  if (await images.state(folder, path)) {
    const [there, given] = [await images.probe(folder, path), await images.probeUpload(from)];
    if (there.hash === given.hash) return there;
    throw new ImageError("another file is at its path");
  }
  const copy = await images.temporary.make();
  try {
    await copyTo(from, copy, options.link);
    const facts = await images.probeUpload(copy);
    if ((await images.store(folder, path, copy, facts.hash)) === "different")
      throw new ImageError("another file is at its path");
    return { ...facts, ...(await images.state(folder, path)) };
  } finally {
    await images.temporary.remove(copy);
  }
}

async function copyTo(from: string, to: string, asLink: boolean): Promise<void> {
  if (
    asLink &&
    (await link(from, to).then(
      () => true,
      () => false,
    ))
  )
    return;
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}
