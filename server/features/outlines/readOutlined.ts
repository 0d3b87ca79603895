import { type Kysely, sql } from "kysely";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Bbox, Shape } from "../../../shared/entities/shape";
import { MAX_OUTLINED, type Outlined } from "../../../shared/outlines/imageOutlines";
import { preparedStatement } from "../../db/preparedStatements";
import { isLiveAnnotation } from "../../db/rows/annotations";
import type { Schema } from "../../db/schema";

/** The columns of an annotation that outlines need. JSON columns are text. */
export interface OutlinedRow {
  image_id: number;
  category_id: number;
  /** Null if the annotation has no shape, or if the shape is beyond MAX_BYTES. */
  shape: string | null;
  isLong: boolean;
  isbbox: boolean;
  bbox: string;
  keypoints: string | null;
}

/** Maximum number of bytes read of an image's stored shapes; the annotations beyond are drawn as boxes. */
const MAX_BYTES = 250_000;

/** Number of bytes below which a stored shape may be empty. */
const SHORT = 10;

/** Reads the largest annotations of images, by image, the largest first. */
export async function readOutlined(
  db: Kysely<Schema>,
  imageIds: readonly number[],
): Promise<ReadonlyMap<number, readonly OutlinedRow[]>> {
  const byImage = new Map(imageIds.map((id) => [id, [] as OutlinedRow[]]));
  if (imageIds.length === 0) return byImage;
  const { rows } = await sql<OutlinedRow>`
    select image_id, category_id, bbox::text as bbox, isbbox, bytes > ${MAX_BYTES} as "isLong",
      case when bytes <= ${MAX_BYTES} then shape::text end as shape,
      case when coalesce(pg_column_size(shape), 0) < ${SHORT} then keypoints::text end as keypoints
    from unnest(${imageIds}::int[]) as wanted(id) cross join lateral (
      select image_id, category_id, bbox, isbbox, shape, keypoints, area, id,
        coalesce(sum(pg_column_size(shape)) over (order by area desc, id), 0) as bytes
      from (
        select image_id, category_id, bbox, isbbox, shape, keypoints, area, id
        from annotations where image_id = wanted.id and ${isLiveAnnotation()}
        order by area desc, id limit ${MAX_OUTLINED}) as largest) as a
    order by image_id, area desc, a.id ${preparedStatement}`.execute(db);
  for (const row of rows) byImage.get(row.image_id)?.push(row);
  return byImage;
}

/** Returns an annotation as its outline is drawn. */
export function outlinedOf({ category_id, shape, isLong, isbbox, bbox, keypoints }: OutlinedRow): Outlined {
  const parsed = shape === null ? null : (JSON.parse(shape) as Shape);
  const box = JSON.parse(bbox) as Bbox;
  const common = { category_id, bbox: box, keypoints: keypoints ? (JSON.parse(keypoints) as Keypoint[]) : null };
  if (parsed === null) return { ...common, rings: isLong || isbbox ? null : [], rle: null };
  if (Array.isArray(parsed)) return { ...common, rings: parsed.map((ring) => [ring]), rle: null };
  if ("rings" in parsed) return { ...common, rings: parsed.rings, rle: null };
  return { ...common, rings: null, rle: parsed };
}
