import type { Kysely } from "kysely";
import type { SegmentationForm } from "../../../../shared/entities/export";
import type { Json } from "../../../../shared/entities/scalars";
import type { CurrentUser } from "../../../base/permissions";
import type { ImageRow, Schema } from "../../../db/schema";
import { makePause } from "../../../threads/makePause";
import { annotationPages, type CocoRow } from "../../annotations/rows/annotationPages";
import { takerOf } from "../../measuring/measuring";
import { cocoAnnotation, cocoCategory, cocoImage } from "./cocoItems";
import { exportedCategories } from "./exportDataset";
import { keptByImports } from "./keptByImports";

export interface ImageCoco {
  images: Json[];
  /** Those that have annotations here. */
  categories: Json[];
  annotations: Json[];
}

/** COCO of one image. */
export async function imageCoco(
  db: Kysely<Schema>,
  image: ImageRow,
  form: SegmentationForm | undefined,
  user: CurrentUser,
): Promise<ImageCoco> {
  const rows: CocoRow[] = [];
  const counted = [{ id: image.id, count: image.num_annotations }];
  for await (const page of annotationPages(db, counted)) rows.push(...page);
  const used = [...new Set(rows.map((row) => row.category_id))];
  const categories = await exportedCategories(
    db,
    image.dataset_id,
    used,
    used,
    await keptByImports(db, image.dataset_id),
  );
  const byId = new Map(categories.map((category) => [category.id, category]));
  const annotations: Json[] = [];
  const pause = makePause();
  for (const row of rows) {
    const category = byId.get(row.category_id);
    if (category) annotations.push((await cocoAnnotation(row, category, image, form, takerOf(user))) as Json);
    await pause();
  }
  return {
    images: [cocoImage(image) as Json],
    categories: categories.map((category) => cocoCategory(category) as Json),
    annotations,
  };
}
