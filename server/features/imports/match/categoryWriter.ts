import type { Kysely } from "kysely";
import { NO_KEYPOINTS } from "../../../../shared/entities/keypoint";
import { toStored } from "../../../../shared/rules/keypointDefinition";
import type { CurrentUser } from "../../../base/permissions";
import { insertCategory, listCategories } from "../../../db/rows/categories";
import type { CategoryRow, Schema } from "../../../db/schema";
import { categoryColors } from "../../categories/categoryColor";
import type { ReadCategory, ReadDefinition } from "../read/readCategory";
import { defineKeypoints } from "./defineKeypoints";

/** Columns of a category that matching needs. */
export type KnownCategory = Pick<CategoryRow, "id" | "name" | "keypoints" | "revision" | "creator_id" | "deleted_at">;

/** Destination of the results of category matching: the tables, or nothing in a dry run. */
export interface CategoryWriter {
  /** Gives a category the file's keypoints. Returns its new values. */
  define(category: KnownCategory, keypoints: ReadDefinition): Promise<Pick<CategoryRow, "keypoints" | "revision">>;
  /** Takes a category out of the trash. */
  restore(id: number): Promise<void>;
  /** Inserts a category. Returns undefined if the user already has one with this name. */
  insert(category: ReadCategory, name: string): Promise<KnownCategory | undefined>;
  /** Adds categories to the dataset's list. */
  list(ids: readonly number[]): Promise<void>;
}

/** Returns a writer that uses the caller's transaction. */
export function categoriesInto(trx: Kysely<Schema>, user: CurrentUser, datasetId: number): CategoryWriter {
  const newColor = categoryColors(trx, user);
  return {
    define: (category, keypoints) => defineKeypoints(trx, user, category, keypoints),
    async restore(id) {
      await trx.updateTable("categories").set({ deleted_at: null, deleted_by: null }).where("id", "=", id).execute();
    },
    insert: async ({ supercategory, color, metadata, attributes, keypoints }, name) =>
      insertCategory(trx, user, {
        name,
        supercategory,
        color: color ?? (await newColor()),
        metadata,
        attributes,
        keypoints: keypoints ? toStored(NO_KEYPOINTS, keypoints) : NO_KEYPOINTS,
      }),
    async list(ids) {
      await listCategories(trx, datasetId, ids);
    },
  };
}

/**
 * Returns a writer for dry runs, which writes nothing. Categories that would be created get negative ids, which no row
 * has.
 */
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
