import { type Kysely, sql } from "kysely";
import { isConflictOn } from "../../../db/rows/datasetNames";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import type { ImageFiles } from "../../../files/imageFiles";
import { isFolderTaken } from "../../datasets/createDataset";

interface Source {
  id: number;
  name: string;
}

/** Dataset with the copies of one annotator. */
export interface CopyDataset {
  id: number;
  folder: string;
}

/** Longest name of a dataset (shared/entities/dataset.ts). */
const MAX_LENGTH = 100;
const TRIES = 3;

/**
 * Returns the dataset with a user's copies of images of `source`; creates it if there is none. The user is its only
 * member, as an annotator, and it has no owner, so that nobody else sees it in a list. It gets the categories of
 * `source`. Restores it from the trash. Returns undefined if the user's account is gone.
 */
export async function copyDataset(
  db: Kysely<Schema>,
  images: ImageFiles,
  source: Source,
  userId: number,
): Promise<CopyDataset | undefined> {
  const user = await db
    .selectFrom("users")
    .select(["id", "username"])
    .where("id", "=", userId)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  if (!user) return undefined;
  const dataset = (await present(db, source.id, userId)) ?? (await create(db, images, source, user));
  await update(db, source.id, dataset.id, userId);
  return dataset;
}

async function present(db: Kysely<Schema>, sourceId: number, userId: number): Promise<CopyDataset | undefined> {
  const { rows } = await sql<CopyDataset>`
    select s.id, s.folder from consensus_datasets d join datasets s on s.id = d.dataset_id
    where d.source_id = ${sourceId}::integer and d.user_id = ${userId}::integer and s.purged_at is null`.execute(db);
  return rows[0];
}

async function create(
  db: Kysely<Schema>,
  images: ImageFiles,
  source: Source,
  user: { id: number; username: string },
): Promise<CopyDataset> {
  const addition = ` (copies for ${user.username})`;
  const name = source.name.slice(0, MAX_LENGTH - addition.length).trimEnd() + addition;
  for (let tries = 1; ; tries++) {
    const folder = await images.makeFolder(name, (wanted) => isFolderTaken(db, wanted));
    try {
      return await insert(db, { name, folder }, source.id, user);
    } catch (error) {
      // Another request has just taken the folder.
      if (!isConflictOn(error, "datasets_folder_key") || tries === TRIES) throw error;
    }
  }
}

function insert(
  db: Kysely<Schema>,
  { name, folder }: { name: string; folder: string },
  sourceId: number,
  user: { id: number; username: string },
): Promise<CopyDataset> {
  return transaction(db, async (trx) => {
    await sql`select from datasets where id = ${sourceId}::integer for update`.execute(trx);
    const rival = await present(trx, sourceId, user.id);
    if (rival) return rival;
    const { id } = await trx
      .insertInto("datasets")
      .values({ name, folder, owner_id: null })
      .returning("id")
      .executeTakeFirstOrThrow();
    // One that is being deleted for good gives way to this one.
    await sql`delete from consensus_datasets
      where source_id = ${sourceId}::integer and user_id = ${user.id}::integer`.execute(trx);
    await sql`
      insert into consensus_datasets (dataset_id, source_id, user_id, user_name)
      values (${id}, ${sourceId}::integer, ${user.id}::integer, ${user.username})`.execute(trx);
    return { id, folder };
  });
}

/** Gives the dataset its member, the categories of the source, and the metadata of new annotations. */
async function update(db: Kysely<Schema>, sourceId: number, id: number, userId: number): Promise<void> {
  await transaction(db, async (trx) => {
    await sql`
      update datasets set deleted_at = null, deleted_by = null, default_annotation_metadata = s.default_annotation_metadata
      from datasets s where datasets.id = ${id}::integer and s.id = ${sourceId}::integer`.execute(trx);
    await sql`
      insert into dataset_members (dataset_id, user_id, role) values (${id}::integer, ${userId}::integer, 'annotator')
      on conflict do nothing`.execute(trx);
    await sql`
      insert into dataset_categories (dataset_id, category_id)
      select ${id}::integer, category_id from dataset_categories where dataset_id = ${sourceId}::integer
      on conflict do nothing`.execute(trx);
  });
}
