import { isLiveImage } from "../../db/rows/images";
import { shown } from "../../files/paths/safePath";
import type { TaskHelpers } from "../../queue/task";
import type { TaskTools } from "./tools";

const PAGE = 1_000;
const NAMED = 100;

interface Missing extends TaskHelpers, TaskTools {
  dataset: { id: number; folder: string };
  /**
   * Paths of the files that the scan has found. Does not include uploads during the scan, nor names that the scan
   * skips.
   */
  seen: Set<string>;
}

/** Logs the images whose file is missing and returns their number. Changes nothing, since the files may come back. */
export async function reportMissing({ db, files, dataset, seen, warn, signal }: Missing): Promise<number> {
  const named: string[] = [];
  let missing = 0;
  let total = 0;
  for (let last = 0; ; ) {
    signal.throwIfAborted();
    const rows = await db
      .selectFrom("images")
      .select(["id", "path"])
      .where("dataset_id", "=", dataset.id)
      .where(isLiveImage())
      .where("id", ">", last)
      .orderBy("id")
      .limit(PAGE)
      .execute();
    total += rows.length;
    for (const { path } of rows) {
      if (seen.has(path) || (await files.images.state(dataset.folder, path))) continue;
      missing++;
      if (named.length < NAMED) named.push(path);
    }
    const end = rows.at(-1);
    if (!end) break;
    last = end.id;
  }
  if (missing === 0) return 0;
  if (missing === total && seen.size === 0)
    warn(`The folder is empty, and the dataset has ${total} image(s). Is the disk mounted? Nothing was changed.`);
  else {
    for (const path of named) warn(`The file of ${shown(path)} is missing. The image and its annotations are kept.`);
    if (missing > NAMED) warn(`The files of ${missing - NAMED} more images are missing.`);
  }
  return missing;
}
