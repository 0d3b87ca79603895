import { z } from "zod";
import { HttpError } from "../base/errors";
import { addImage } from "../features/images/addImage";
import { dropUnwantedZips } from "../features/imports/leftovers";
import { isImageName } from "../files/decode/imageType";
import { ImageError, ZipGone } from "../files/paths/imageError";
import { newImagePath, shown } from "../files/paths/safePath";
import type { ZipMember } from "../files/zip/zip";
import type { Payload, TaskHelpers } from "../queue/task";
import { isTransient } from "../queue/taskFailure";
import { liveDataset } from "./common/liveDataset";
import { collectSkippedFiles } from "./common/skippedFiles";
import type { TaskTools } from "./common/tools";

const payloadOf = z.object({
  dataset_id: z.number(),
  /** Folder of the dataset into which the zip's folders are unpacked. */
  folder: z.string(),
  /** Name of the zip in the data folder. */
  zip: z.string(),
  /** Original name of the zip. */
  name: z.string(),
});

type Tools = TaskHelpers & TaskTools;

/**
 * Returns true if a file is meant to be an image, by its content, or else by its name in the zip: the extracted file
 * has a random name.
 */
const looksLikeImage = ({ isImage }: ImageError, { path }: ZipMember): boolean => isImage || isImageName(path);

/**
 * Adds the images of an uploaded zip to a dataset. Logs invalid files and continues. A repeat finds the images that an
 * earlier attempt has added.
 */
export async function uploadZip(payload: Payload, { db, files, signal, attempt, info, warn, progress }: Tools) {
  const { dataset_id, folder, zip, name } = payloadOf.parse(payload);
  const dataset = await liveDataset(db, dataset_id);
  const count = { added: 0, known: 0, restored: 0, refused: 0 };
  const others = collectSkippedFiles();

  async function addMember(member: ZipMember): Promise<void> {
    if ("problem" in member) throw new ImageError(member.problem);
    const target = { db, images: files.images, dataset };
    const { status } = await addImage(target, newImagePath(folder, member.path), member.file);
    count[status]++;
  }

  try {
    for await (const member of files.images.zipMembers(zip)) {
      signal.throwIfAborted();
      await addMember(member).catch((error) => {
        if (error instanceof ImageError && !looksLikeImage(error, member)) return others.add(member.path);
        if (!(error instanceof ImageError) && !isRefusal(error)) throw error;
        count.refused++;
        warn(`Could not read ${shown(member.path)}: ${error.message}`);
      });
      progress((99 * member.number) / member.count);
    }
  } catch (error) {
    if (!(error instanceof ImageError)) {
      // The task fails for good, so the zip is not read again. Deleting it may free space on a full disk.
      if (!signal.aborted && !isTransient(error)) await files.images.dropZip(zip);
      throw error;
    }
    if (error instanceof ZipGone && attempt > 1) return count;
    await files.images.dropZip(zip);
    throw new Error(`Could not read ${shown(name)}: ${error.message}.`);
  }
  if (others.count > 0) info(others.summary());
  info(`Created ${count.added} new image(s).`);
  await files.images.dropZip(zip);
  await dropUnwantedZips({ db, files });
  return { ...count, not_pictures: others.count };
}

/** Returns true if only this file is refused, unlike with a full disk. */
const isRefusal = (error: unknown): error is HttpError => error instanceof HttpError && error.status < 500;
