import { z } from "zod";
import { HttpError } from "../base/errors";
import { addImage } from "../features/images/addImage";
import { dropUnwantedZips } from "../features/imports/leftovers";
import { isImageName } from "../files/decode/imageType";
import { ImageError, ZipGone } from "../files/paths/imageError";
import { newImagePath, shown } from "../files/paths/safePath";
import type { ZipMember } from "../files/zip/zip";
import type { Payload, TaskHelpers } from "../queue/task";
import { isPassing } from "../queue/taskFailure";
import { liveDataset } from "./liveDataset";
import { notImages } from "./notImages";
import type { TaskTools } from "./tools";

const payloadOf = z.object({
  dataset_id: z.number(),
  /** The folder inside the dataset that the zip's own folders go into. */
  folder: z.string(),
  /** Of the kept zip. */
  zip: z.string(),
  /** As the user named it. */
  name: z.string(),
});

type Tools = TaskHelpers & TaskTools;

/** Unpacked files have names of their own: by the one in the zip somebody may mean it as an image all the same. */
const looksLikeImage = ({ isImage }: ImageError, { path }: ZipMember): boolean => isImage || isImageName(path);

/**
 * Adds the images of an uploaded zip to a dataset. What is bad is told one by one and stops nothing. A repeat finds
 * the images known that an earlier try has added.
 */
export async function uploadZip(payload: Payload, { db, files, signal, attempt, info, warn, progress }: Tools) {
  const { dataset_id, folder, zip, name } = payloadOf.parse(payload);
  const dataset = await liveDataset(db, dataset_id);
  const count = { added: 0, known: 0, restored: 0, refused: 0 };
  const others = notImages();

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
      // The task fails, and nobody will read the zip; a full disk needs its room.
      if (!signal.aborted && !isPassing(error)) await files.images.dropZip(zip);
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

/** Returns true for a problem of this file alone; a full disk is none. */
const isRefusal = (error: unknown): error is HttpError => error instanceof HttpError && error.status < 500;
