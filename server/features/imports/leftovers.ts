import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import { tidyFiles } from "./tidyTransfers";

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface Tools {
  db: Kysely<Schema>;
  files: Files;
}

/**
 * Removes the files that nothing needs: parts of uploads and drafts of exports that a kill or a full disk has cut off,
 * and zips that no task will read. What is younger than a day may be in the hands of another process.
 */
export async function removeLeftovers({ db, files }: Tools): Promise<void> {
  await files.images.temporary.tidy(DAY_MS);
  await tidyFiles({ db, files }, DAY_MS);
  await dropUnwantedZips({ db, files });
}

/** Every hour until the answered function is called, for a process that is not started anew for months. */
export function removeLeftoversRegularly(tools: Tools, report: (error: unknown) => void): () => void {
  const timer = setInterval(() => removeLeftovers(tools).catch(report), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Kept zips of tasks that are over. */
export async function dropUnwantedZips({ db, files }: Tools): Promise<void> {
  const rows = await db
    .selectFrom("tasks")
    .select("payload")
    .where("kind", "=", "upload")
    .where("state", "in", ["queued", "running"])
    .execute();
  await files.images.dropOldZips(new Set(rows.map(({ payload }) => String(payload.zip))));
}
