import type { Kysely } from "kysely";
import type { VersionCategory } from "../../shared/entities/export";
import type { Json } from "../../shared/entities/scalars";
import type { DatasetRow, Schema } from "../db/schema";
import {
  type Exported,
  exportDataset,
  exportedCategories,
  type WrittenEntry,
} from "../features/exports/coco/exportDataset";
import { TAKEN, versionPayload } from "../features/versions/startVersion";
import { filesOf, filesOfAttempt, writeVersionFiles } from "../features/versions/versionFiles";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import type { TaskTools } from "./common/tools";

type Tools = TaskHelpers & TaskTools;

/**
 * Keeps a dataset as it is now: writes its COCO file and the list of its entries, then the row of the version.
 * PostgreSQL reads all of one moment. The embedded database, whose only connection a long transaction would block,
 * reads each page as it is by then.
 */
export async function writeVersion(payload: Payload, tools: Tools): Promise<Json> {
  const { db, files, taskId, attempt, env, info } = tools;
  const known = await versionOf(db, taskId);
  if (known) return known;
  const { dataset_id, name, note, creator_name } = versionPayload.parse(payload);
  const dataset = await liveDataset(db, dataset_id);
  for (let earlier = 1; earlier < attempt; earlier++)
    for (const file of filesOf(filesOfAttempt(taskId, earlier))) await files.transfers.removeExport(file);
  const names = filesOfAttempt(taskId, attempt);
  const written = env.DATABASE_URL
    ? await db
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute((trx) => write(trx, tools, dataset, name, names))
    : await write(db, tools, dataset, name, names);
  const { images, annotations } = written;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("versions")
    .values({
      ...{ dataset_id, task_id: taskId, name, note, creator_name, ...names, images, annotations },
      ...{ bytes: written.bytes, sha256: written.sha256, categories: JSON.stringify(written.categories) },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  const stored = await versionOf(db, taskId);
  if (!stored) {
    for (const file of filesOf(names)) await files.transfers.removeExport(file);
    throw new Error(TAKEN);
  }
  if (numInsertedOrUpdatedRows) info(`Kept ${annotations} annotations and ${images} images as version ${name}`);
  return stored;
}

async function write(
  db: Kysely<Schema>,
  { files, signal, progress }: Tools,
  dataset: DatasetRow,
  name: string,
  names: ReturnType<typeof filesOfAttempt>,
) {
  const counts = new Map<number, number>();
  let exported: Exported = { images: 0, annotations: 0, categories: [] };
  const { bytes, sha256 } = await writeVersionFiles(files, names, (onEntry) =>
    exportDataset(db, dataset, {
      withEmptyImages: true,
      info: { version: name },
      signal,
      onProgress: progress,
      onEnd: (all) => {
        exported = all;
      },
      onEntry: (entry: WrittenEntry) => {
        if (entry.annotation) counts.set(entry.annotation.category, (counts.get(entry.annotation.category) ?? 0) + 1);
        onEntry(entry);
      },
    }),
  );
  const listed = await exportedCategories(db, dataset.id, undefined, [...counts.keys()], { categories: new Map() });
  const categories: VersionCategory[] = listed.map((category) => ({
    id: category.id,
    name: category.name,
    annotations: counts.get(category.id) ?? 0,
  }));
  return { bytes, sha256, categories, images: exported.images, annotations: exported.annotations };
}

async function versionOf(db: Kysely<Schema>, taskId: number): Promise<Json | undefined> {
  const row = await db.selectFrom("versions").select("id").where("task_id", "=", taskId).executeTakeFirst();
  return row && { version_id: row.id };
}
