import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import type { StoredFile } from "../../files/storage/storage";
import type { Live } from "../../live/live";
import { settle } from "./store/importRow";
import { showRows } from "./store/showImport";
import { removeImport } from "./undo/removeImport";

const DAY_MS = 86_400_000;
/** Names of the files of versions (server/features/versions/versionFiles.ts). */
const IS_OF_VERSION = /^version-/;
/**
 * Age after which the file of an unknown version is deleted: an older backup does not have the newer versions, but the
 * operator may return to a newer one.
 */
const RESTORED_MS = 30 * DAY_MS;

interface Tools {
  db: Kysely<Schema>;
  files: Files;
  live: Live;
}

/**
 * Cleans up after dead processes: finishes or removes imports whose task is over, and deletes uploads that no task
 * needs and files that belong to no export or version. Call it when a process starts, before it runs tasks. `alone`: no
 * other process uses these files, so unneeded files are deleted at once, whatever their age.
 */
export async function tidyTransfers(tools: Tools, { alone }: { alone: boolean }): Promise<void> {
  await tidyImports(tools);
  await tidyFiles(tools, alone ? 0 : DAY_MS);
}

/** Finishes or removes imports whose task is over. */
export async function tidyImports({ db, live }: Omit<Tools, "files">): Promise<void> {
  const { rows } = await sql<{ id: number; dataset_id: number; state: string }>`
    select i.id, i.dataset_id, i.state from imports i left join tasks t on t.id = i.task_id
    where (t.id is null or t.state not in ('queued', 'running'))
      and i.state in ('running', 'complete', 'failed') and not i.report ? 'settled'`.execute(db);
  for (const { id, dataset_id, state } of rows) {
    if (state !== "complete") await removeImport(db, id);
    else {
      await showRows({ db, live, importId: id, datasetId: dataset_id });
      await settle(db, id);
    }
  }
}

/**
 * Deletes unneeded uploads, exports and files of versions. Another process may be about to insert the row of a file
 * younger than `minAgeMs`.
 */
export async function tidyFiles({ db, files }: Omit<Tools, "live">, minAgeMs: number): Promise<void> {
  await tidyUploads(db, files, minAgeMs);
  const exports = await db.selectFrom("exports").select("file").execute();
  const versions = await db.selectFrom("versions").select(["file", "entries_file"]).execute();
  const known = new Set([
    ...exports.map(({ file }) => file),
    ...versions.flatMap((version) => [version.file, version.entries_file]),
  ]);
  for (const file of await files.transfers.listExports()) {
    const neededMs = IS_OF_VERSION.test(file.name) ? RESTORED_MS : minAgeMs;
    if (!known.has(file.name) && ageOf(file) >= neededMs) await files.transfers.removeExport(file.name);
  }
}

/** Deletes uploads that no task needs. The file of a dry run is kept for a day. */
export async function tidyUploads(db: Kysely<Schema>, { transfers }: Files, minAgeMs = DAY_MS): Promise<void> {
  const rows = await db
    .selectFrom("tasks")
    .select("payload")
    .where(({ or, and, eb }) =>
      or([
        eb("state", "in", ["queued", "running"]),
        and([
          eb("kind", "=", "previewImport"),
          eb("state", "=", "done"),
          eb("finished_at", ">", sql<Date>`now() - interval '1 day'`),
        ]),
      ]),
    )
    .execute();
  const needed = new Set(rows.map(({ payload }) => payload.upload));
  for (const file of await transfers.listUploads())
    if (!needed.has(file.name) && ageOf(file) >= minAgeMs) await transfers.removeUpload(file.name);
}

const ageOf = ({ modifiedMs }: StoredFile): number => Date.now() - modifiedMs;
