import { z } from "zod";
import { HttpError } from "../base/errors";
import { addPicture } from "../features/images/addPicture";
import { dropUnwantedZips } from "../features/imports/leftovers";
import { isPictureName } from "../files/decode/pictureType";
import { PictureError, ZipGone } from "../files/paths/pictureError";
import { newPicturePath, shown } from "../files/paths/safePath";
import type { ZipMember } from "../files/zip/zip";
import type { Payload, TaskHelpers } from "../queue/task";
import { isPassing } from "../queue/taskFailure";
import { liveDataset } from "./liveDataset";
import { notPictures } from "./notPictures";
import type { TaskTools } from "./tools";

const payloadOf = z.object({
  dataset_id: z.number(),
  /** The folder inside the dataset that the zip's own folders go into. */
  folder: z.string(),
  /** Of the kept zip. */
  zip: z.string(),
  /** As the person named it. */
  name: z.string(),
});

type Tools = TaskHelpers & TaskTools;

/** Unpacked files have names of their own: by the one in the zip somebody may mean it as an image all the same. */
const looksLikePicture = ({ isPicture }: PictureError, { path }: ZipMember): boolean =>
  isPicture || isPictureName(path);

/**
 * Adds the images of an uploaded zip to a dataset. What is bad is told one by one and stops nothing. A repeat finds
 * the images known that an earlier try has added.
 */
export async function uploadZip(payload: Payload, { db, files, signal, attempt, info, warn, progress }: Tools) {
  const { dataset_id, folder, zip, name } = payloadOf.parse(payload);
  const dataset = await liveDataset(db, dataset_id);
  const count = { added: 0, known: 0, restored: 0, refused: 0 };
  const others = notPictures();

  async function addMember(member: ZipMember): Promise<void> {
    if ("problem" in member) throw new PictureError(member.problem);
    const target = { db, pictures: files.pictures, dataset };
    const { status } = await addPicture(target, newPicturePath(folder, member.path), member.file);
    count[status]++;
  }

  try {
    for await (const member of files.pictures.zipMembers(zip)) {
      signal.throwIfAborted();
      await addMember(member).catch((error) => {
        if (error instanceof PictureError && !looksLikePicture(error, member)) return others.add(member.path);
        if (!(error instanceof PictureError) && !isRefusal(error)) throw error;
        count.refused++;
        warn(`Could not read ${shown(member.path)}: ${error.message}`);
      });
      progress((99 * member.number) / member.count);
    }
  } catch (error) {
    if (!(error instanceof PictureError)) {
      // The task fails, and nobody will read the zip; a full disk needs its room.
      if (!signal.aborted && !isPassing(error)) await files.pictures.dropZip(zip);
      throw error;
    }
    if (error instanceof ZipGone && attempt > 1) return count;
    await files.pictures.dropZip(zip);
    throw new Error(`Could not read ${shown(name)}: ${error.message}.`);
  }
  if (others.count > 0) info(others.summary());
  info(`Created ${count.added} new image(s).`);
  await files.pictures.dropZip(zip);
  await dropUnwantedZips({ db, files });
  return { ...count, not_pictures: others.count };
}

/** Returns true for a problem of this file alone; a full disk is none. */
const isRefusal = (error: unknown): error is HttpError => error instanceof HttpError && error.status < 500;
