import type { Kysely } from "kysely";
import type { Schema } from "../../server/db/schema";
import { recountImages } from "../../server/features/annotations/rows/recountImages";

/** Inserts rows for tests that need them to exist. Each function returns the new id. */

let counter = 0;

export interface DatasetSeed {
  name?: string;
  ownerId?: number | null;
  members?: number[];
  categories?: number[];
}

/** Inserts a dataset without a folder on disk. */
export async function seedDataset(db: Kysely<Schema>, seed: DatasetSeed = {}): Promise<number> {
  const name = seed.name ?? `dataset ${++counter}`;
  const { id } = await db
    .insertInto("datasets")
    .values({ name, folder: name, owner_id: seed.ownerId ?? null })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const user_id of seed.members ?? [])
    await db.insertInto("dataset_members").values({ dataset_id: id, user_id }).execute();
  for (const category_id of seed.categories ?? [])
    await db.insertInto("dataset_categories").values({ dataset_id: id, category_id }).execute();
  return id;
}

/** Inserts an image without a file. */
export async function seedImage(db: Kysely<Schema>, datasetId: number, path = `${++counter}.jpg`): Promise<number> {
  const slash = path.lastIndexOf("/") + 1;
  const { id } = await db
    .insertInto("images")
    .values({
      dataset_id: datasetId,
      path,
      folder: path.slice(0, slash),
      file_name: path.slice(slash),
      width: 640,
      height: 480,
      mime: "image/jpeg",
      bytes: 1000,
      modified_ms: 0,
      hash: `hash of ${path}`,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function seedCategory(
  db: Kysely<Schema>,
  creatorId: number | null,
  name = `category ${++counter}`,
): Promise<number> {
  const { id } = await db
    .insertInto("categories")
    .values({ name, color: "#336699", creator_id: creatorId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Inserts an annotation without a shape. */
export async function seedAnnotation(db: Kysely<Schema>, imageId: number, categoryId: number): Promise<number> {
  const { id } = await db
    .insertInto("annotations")
    .values({ image_id: imageId, category_id: categoryId, color: "#336699" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await recountImages(db, [imageId]);
  return id;
}
