import { type Kysely, sql } from "kysely";
import { cocoImage } from "../../../../shared/coco/items/writeItems";
import type { SegmentationForm } from "../../../../shared/entities/export";
import type { CurrentUser } from "../../../base/permissions";
import { isShown } from "../../../db/rows/annotations";
import type { ImageRow, Schema } from "../../../db/schema";
import { makePause } from "../../../threads/makePause";
import { annotationTextPages } from "../../annotations/rows/annotationPages";
import { requesterOf } from "../../measuring/measuring";
import { type CocoCategoryRow, cocoAnnotationText, cocoCategoryOf } from "./cocoItems";
import { exportedCategories } from "./exportDataset";
import { loadImportedExtras } from "./importedExtras";

/**
 * Yields the COCO JSON of one image in pieces: `images`, `categories` (those with annotations in the image) and
 * `annotations`. Shapes that are written as they are stored are not parsed.
 */
export async function imageCoco(
  db: Kysely<Schema>,
  image: ImageRow,
  form: SegmentationForm | undefined,
  user: CurrentUser,
): Promise<AsyncGenerator<string>> {
  const { rows } = await sql<{ category_id: number }>`
    select distinct a.category_id from annotations a where a.image_id = ${image.id} and ${isShown}`.execute(db);
  const used = rows.map((row) => row.category_id);
  const importedExtras = await loadImportedExtras(db, image.dataset_id);
  const categories = await exportedCategories(db, image.dataset_id, used, used, importedExtras);
  return pieces(db, image, categories, { form, requester: requesterOf(user) });
}

async function* pieces(
  db: Kysely<Schema>,
  image: ImageRow,
  categories: readonly CocoCategoryRow[],
  { form, requester }: { form: SegmentationForm | undefined; requester: string },
): AsyncGenerator<string> {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const head = JSON.stringify({ images: [cocoImage(image)], categories: categories.map(cocoCategoryOf) });
  yield `${head.slice(0, -1)},"annotations":[`;
  const pause = makePause();
  let isFirst = true;
  const counted = [{ id: image.id, count: image.num_annotations }];
  for await (const page of annotationTextPages(db, counted, [...byId.keys()]))
    for (const row of page) {
      const category = byId.get(row.category_id);
      if (!category) continue;
      yield (isFirst ? "" : ",") + (await cocoAnnotationText(row, category, image, form, requester));
      isFirst = false;
      await pause();
    }
  yield "]}";
}
