import { type Kysely, sql } from "kysely";
import type { Image } from "../../../shared/entities/image";
import { summaryOf } from "../../../shared/rules/summaryOf";
import { isLiveAnnotation } from "../../db/rows/annotations";
import type { ImageRow, Schema } from "../../db/schema";

export type ImageWithCategories = ImageRow & { category_ids: number[] };

/** Selects images with the ids of their labels and of their annotations' categories, sorted and without repeats. */
export function imagesWithCategories(db: Kysely<Schema>) {
  return db
    .selectFrom("images")
    .selectAll("images")
    .select(
      sql<number[]>`array(
        select unnest(images.labels)
        union
        select category_id from annotations
        where image_id = images.id and ${isLiveAnnotation()}
        order by 1)`.as("category_ids"),
    );
}

/** Returns an image with all fields that clients may see. */
export const imageDocument = (row: ImageWithCategories): Image => ({
  ...summaryOf(row),
  dataset_id: row.dataset_id,
  category_ids: row.category_ids,
  metadata: row.metadata,
  revision: row.revision,
  milliseconds: row.milliseconds,
  returned_by: row.returned_by,
  returned_at: row.returned_at?.toISOString() ?? null,
});
