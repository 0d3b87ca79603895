import { type Kysely, sql } from "kysely";
import type { ImageFilter } from "../../../shared/api/datasets/datasetImages";
import type { ImageRow, Schema } from "../../db/schema";
import { countImages, isBeyond, orderOf, passesFilter, reverse } from "./imageList";

export interface ImagePlace {
  /** Number of images of the list that come before the image. */
  before: number;
  total: number;
}

/**
 * Returns the place of an image in the list that the user came from. If the image no longer passes the filter, returns
 * the place where it would be.
 */
export async function placeOf(
  db: Kysely<Schema>,
  image: Pick<ImageRow, "id" | "dataset_id" | "path" | "file_name">,
  { order, ...filter }: ImageFilter,
): Promise<ImagePlace> {
  const condition = passesFilter(image.dataset_id, filter);
  const { rows } = await sql<{ before: number }>`
    select count(*)::integer as before from images
    where ${condition} and ${isBeyond(reverse(orderOf(order)), image)}`.execute(db);
  return { before: rows[0]?.before ?? 0, total: await countImages(db, image.dataset_id, filter) };
}
