import { type Kysely, sql } from "kysely";
import { isShown } from "../../../db/rows/annotations";
import type { Schema } from "../../../db/schema";
import type { UnparsedAnnotation, UnparsedImage } from "./question";

/** Reads the annotations of images, by image. Images without annotations have an empty list. */
export async function readAnnotations(
  db: Kysely<Schema>,
  imageIds: readonly number[],
): Promise<Map<number, UnparsedImage & { revision: number }>> {
  const images = await db
    .selectFrom("images")
    .select(["id", "width", "height", "revision"])
    .where("id", "in", [0, ...imageIds])
    .execute();
  const { rows } = await sql<UnparsedAnnotation>`
    select a.id, a.image_id, a.category_id, a.shape::text as shape, a.bbox, a.isbbox, a.iscrowd, a.keypoints
    from annotations a where a.image_id = any(${imageIds}::integer[]) and ${isShown}
    order by a.image_id, a.id`.execute(db);
  const byImage = new Map(images.map(({ id, ...size }) => [id, { ...size, annotations: [] as UnparsedAnnotation[] }]));
  for (const row of rows) byImage.get(row.image_id)?.annotations.push(row);
  return byImage;
}
