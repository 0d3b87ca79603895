import type { Kysely } from "kysely";
import type { RunAlone } from "../../db/open/runAlone";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import type { Live } from "../../live/live";
import { tidyFiles, tidyImports } from "./tidyTransfers";

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface Tools {
  db: Kysely<Schema>;
  files: Files;
  live: Live;
}

/**
 * Finishes or removes imports whose task has failed without being able to do so, e.g. because the database was not
 * available, and removes unneeded files: partial uploads and exports left by a kill or a full disk, and zips that no
 * task will read. Keeps files younger than a day, which another process may be using.
 */
export async function removeLeftovers({ db, files, live }: Tools): Promise<void> {
  await files.images.temporary.tidy(DAY_MS);
  await tidyFiles({ db, files }, DAY_MS);
  await dropUnwantedZips({ db, files });
  await files.tidy(DAY_MS);
  await tidyImports({ db, live });
}

/** Removes leftovers every hour until the returned function is called, for processes that run for months. */
export function removeLeftoversRegularly(
  tools: Tools,
  runAlone: RunAlone,
  report: (error: unknown) => void,
): () => void {
  const timer = setInterval(() => runAlone("leftovers", () => removeLeftovers(tools)).catch(report), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Removes the zips of finished tasks. */
export async function dropUnwantedZips({ db, files }: Omit<Tools, "live">): Promise<void> {
  const rows = await db
    .selectFrom("tasks")
    .select("payload")
    .where("kind", "=", "upload")
    .where("state", "in", ["queued", "running"])
    .execute();
  await files.images.dropOldZips(new Set(rows.map(({ payload }) => String(payload.zip))));
}
