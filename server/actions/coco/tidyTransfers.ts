import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import type { StoredFile } from "../../files/transfers";
import type { Live } from "../../live/live";
import { settle } from "./importRow";
import { removeImport } from "./removeImport";
import { showRows } from "./showImport";

const DAY_MS = 86_400_000;

interface Tools {
  db: Kysely<Schema>;
  files: Files;
  live: Live;
}

/**
 * Finishes what dead processes left of imports and exports: rows of imports whose task is over, uploads that no task
 * needs, and files that are no export. For the start of a process, before it works on tasks. `alone`: no other process
 * uses these files, so that what is not needed now never will be.
 */
export async function tidyTransfers(tools: Tools, { alone }: { alone: boolean }): Promise<void> {
  await tidyImports(tools);
  await tidyFiles(tools, alone ? 0 : DAY_MS);
}

async function tidyImports({ db, live }: Tools): Promise<void> {
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

/** With other processes about, a file that is younger than `minAgeMs` may be about to get its row. */
async function tidyFiles({ db, files: { transfers } }: Tools, minAgeMs: number): Promise<void> {
  const isOld = ({ modifiedMs }: StoredFile) => Date.now() - modifiedMs >= minAgeMs;
  const open = await db.selectFrom("tasks").select("payload").where("state", "in", ["queued", "running"]).execute();
  const needed = new Set(open.map(({ payload }) => payload.upload));
  for (const file of await transfers.listUploads())
    if (!needed.has(file.name) && isOld(file)) await transfers.removeUpload(file.name);

  const rows = await db.selectFrom("exports").select("file").execute();
  const known = new Set(rows.map(({ file }) => file));
  for (const file of await transfers.listExports())
    if (!known.has(file.name) && isOld(file)) await transfers.removeExport(file.name);
}
