import type { Kysely } from "kysely";
import type { ImageRow, Schema } from "../../db/schema";
import { ImageError, MissingFolder } from "../../files/paths/imageError";
import { shown } from "../../files/paths/safePath";
import type { Patient } from "./check";
import { pagesById } from "./pagesById";

type Known = Pick<ImageRow, "id" | "path" | "bytes" | "modified_ms" | "hash" | "deleted_at">;

interface Dataset {
  id: number;
  name: string;
  folder: string;
}

/** Checks that the files of images exist and are unchanged, and finds files that are not images of the dataset yet. */
export async function* imageFiles(patient: Patient): AsyncGenerator<string> {
  const datasets = await patient.db.selectFrom("datasets").select(["id", "name", "folder"]).orderBy("id").execute();
  for (const dataset of datasets) {
    try {
      for await (const problem of ofDataset(patient, dataset))
        yield `Dataset ${dataset.id} (${dataset.name}): ${problem}`;
    } catch (error) {
      if (!(error instanceof MissingFolder)) throw error;
      yield `Dataset ${dataset.id} (${dataset.name}): ${error.message}`;
    }
  }
}

/** Lists the folder first, so that a missing folder is one problem and not one for each image. */
async function* ofDataset(patient: Patient, dataset: Dataset): AsyncGenerator<string> {
  const unknown = new Set<string>();
  const unreadable: string[] = [];
  for await (const found of patient.files.images.listFiles(dataset.folder)) {
    if ("problem" in found) unreadable.push(`${shown(found.path)}: ${found.problem}.`);
    else unknown.add(found.path);
  }
  yield* unreadable;
  for await (const images of pages(patient.db, dataset.id)) {
    for (const image of images) {
      unknown.delete(image.path);
      const problem = await problemOf(patient, dataset.folder, image);
      if (problem) yield `image ${image.id} (${shown(image.path)}) ${problem}.`;
    }
  }
  for (const path of unknown)
    if (await isImage(patient, dataset.folder, path)) yield `${shown(path)} belongs to no image (a scan will add it).`;
}

const pages = (db: Kysely<Schema>, datasetId: number) =>
  pagesById((after, limit) =>
    db
      .selectFrom("images")
      .select(["id", "path", "bytes", "modified_ms", "hash", "deleted_at"])
      .where("dataset_id", "=", datasetId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );

/** Returns the problem, phrased to end a sentence; undefined if there is none. */
async function problemOf({ files, readAll }: Patient, folder: string, image: Known): Promise<string | undefined> {
  const state = await files.images.state(folder, image.path);
  if (!state) return image.deleted_at ? undefined : "has no file";
  if (state.bytes !== image.bytes) return `has a file of ${state.bytes} bytes instead of ${image.bytes}`;
  if (!readAll && state.modifiedMs === image.modified_ms) return undefined;
  try {
    const { hash } = await files.images.probe(folder, image.path);
    return hash === image.hash ? undefined : "has a file with other bytes";
  } catch (error) {
    if (error instanceof ImageError) return `has a file that cannot be used: ${error.message}`;
    throw error;
  }
}

async function isImage({ files }: Patient, folder: string, path: string): Promise<boolean> {
  try {
    await files.images.probe(folder, path);
    return true;
  } catch (error) {
    if (error instanceof ImageError) return error.isImage;
    throw error;
  }
}
