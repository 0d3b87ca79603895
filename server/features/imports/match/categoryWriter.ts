import { type Kysely, sql } from "kysely";
import { NO_KEYPOINTS } from "../../../../shared/entities/keypoint";
import { toStored } from "../../../../shared/rules/keypointDefinition";
import type { CurrentUser } from "../../../base/permissions";
import type { CategoryRow, Schema } from "../../../db/schema";
import { categoryColors } from "../../categories/categoryColor";
import type { ReadCategory, ReadDefinition } from "../read/readCategory";
import { defineKeypoints } from "./defineKeypoints";

/** Columns of a category for matching. */
export type KnownCategory = Pick<CategoryRow, "id" | "name" | "keypoints" | "revision" | "creator_id" | "deleted_at">;

/** Writes the decisions of category matching to the tables, or, in a dry run, nothing. */
export interface CategoryWriter {
  /** Gives a category the file's keypoints; returns its new values. */
  define(category: KnownCategory, keypoints: ReadDefinition): Promise<Pick<CategoryRow, "keypoints" | "revision">>;
  /** Takes a category out of the trash. */
  restore(id: number): Promise<void>;
  /** Undefined when the user has one of this name already. */
  insert(category: ReadCategory, name: string): Promise<KnownCategory | undefined>;
  /** The dataset lists these categories from now on. */
  list(ids: readonly number[]): Promise<void>;
}

/** Writes in the caller's transaction. */
export function categoriesInto(trx: Kysely<Schema>, user: CurrentUser, datasetId: number): CategoryWriter {
  const newColor = categoryColors(trx, user);
  return {
    define: (category, keypoints) => defineKeypoints(trx, user, category, keypoints),
    async restore(id) {
      await trx.updateTable("categories").set({ deleted_at: null, deleted_by: null }).where("id", "=", id).execute();
    },
    insert: async ({ supercategory, color, metadata, keypoints }, name) =>
      trx
        .insertInto("categories")
        .values({
          name,
          supercategory,
          color: color ?? (await newColor()),
          metadata: JSON.stringify(metadata),
          keypoints: JSON.stringify(keypoints ? toStored(NO_KEYPOINTS, keypoints) : NO_KEYPOINTS),
          creator_id: user.id,
          creator_name: user.username,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst(),
    async list(ids) {
      await sql`
        insert into dataset_categories (dataset_id, category_id) select ${datasetId}, unnest(${ids}::int[])
        on conflict do nothing`.execute(trx);
    },
  };
}

/** Writes nothing. Categories that would be made have ids below zero, which no row has. */
export function categoriesNowhere(user: CurrentUser): CategoryWriter {
  let made = 0;
  return {
    define: async ({ keypoints, revision }, definition) => ({ keypoints: toStored(keypoints, definition), revision }),
    restore: async () => undefined,
    insert: async ({ keypoints }, name) => ({
      id: --made,
      name,
      keypoints: keypoints ? toStored(NO_KEYPOINTS, keypoints) : NO_KEYPOINTS,
      revision: 1,
      creator_id: user.id,
      deleted_at: null,
    }),
    list: async () => undefined,
  };
}
