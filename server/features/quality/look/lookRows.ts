import { type Kysely, sql } from "kysely";
import type { LookedAt } from "../../../../shared/quality/labels/lookedAt";
import { isLiveAnnotation } from "../../../db/rows/annotations";
import { isLiveImage } from "../../../db/rows/images";
import type { AnnotationRow, ImageRow, Schema } from "../../../db/schema";

/** Least width and height of an annotation that is looked at, in image pixels. */
const LEAST_SIDE = 4;

/** Number of images or looks that are read at once. */
const PAGE = 1_000;

/** A look whose features are still text, so that a thread parses them. */
export type StoredLook = Omit<LookedAt, "features" | "frame"> & {
  width: number;
  height: number;
  features: string | null;
};

/** A look to store. */
export interface NewLook {
  annotation: number;
  revision: number;
  overlap: number | null;
  features: string | null;
}

export type LookedImage = Pick<ImageRow, "id" | "path" | "mime" | "hash" | "width" | "height" | "orientation">;
export type Unseen = Pick<AnnotationRow, "id" | "revision" | "shape" | "bbox" | "isbbox">;

const isSeen = sql`exists (select from quality_looks l
  where l.annotation_id = a.id and l.revision = a.revision and l.hash = i.hash)`;

/** Condition on annotations a: an object with an outline or a box of some size. */
const isObject = sql`${isLiveAnnotation("a")} and not a.iscrowd and (a.isbbox or a.area > 0)
  and (a.bbox ->> 2)::double precision >= ${sql.lit(LEAST_SIDE)} and (a.bbox ->> 3)::double precision >= ${sql.lit(LEAST_SIDE)}`;

/** Counts the annotations that are described as they are now. */
export async function countLooks(db: Kysely<Schema>, datasetId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from quality_looks l
    join annotations a on a.id = l.annotation_id and a.revision = l.revision and ${isLiveAnnotation("a")}
    where l.dataset_id = ${datasetId}::integer`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Returns readable images with annotations that were not looked at since their last change, and the number of these: as
 * many images as have `most` of them together. The order is that of a hash of the ids: the first images are a sample of
 * the dataset, not its first folder. Reads only as many images as it needs, since a dataset may have millions of
 * annotations.
 */
export async function unseenImages(
  db: Kysely<Schema>,
  datasetId: number,
  most: number,
): Promise<(LookedImage & { unseen: number })[]> {
  const images: (LookedImage & { unseen: number })[] = [];
  for (let [last, count] = ["", 0]; count < most; ) {
    const { rows } = await sql<LookedImage & { unseen: number; place: string }>`
      with page as (
        select i.*, md5(i.id::text) as place from images i
        where i.dataset_id = ${datasetId}::integer and ${isLiveImage("i")} and i.num_annotations > 0
          and md5(i.id::text) > ${last}
        order by place limit ${PAGE})
      select i.id, i.path, i.mime, i.hash, i.width, i.height, i.orientation, i.place, case when exists (
          select from quality_images q where q.image_id = i.id and q.problem is null)
        then (select count(*)::integer from annotations a where a.image_id = i.id and ${isObject} and not ${isSeen})
        else 0 end as unseen
      from page i order by i.place`.execute(db);
    if (rows.length === 0) break;
    last = rows.at(-1)!.place;
    for (const { place: _, ...image } of rows) {
      if (count >= most) break;
      if (image.unseen > 0) images.push(image);
      count += image.unseen;
    }
  }
  return images;
}

/** Returns the annotations of an image that were not looked at since their last change. */
export async function unseenAnnotations(db: Kysely<Schema>, imageId: number): Promise<Unseen[]> {
  const { rows } = await sql<Unseen>`
    select a.id, a.revision, a.shape, a.bbox, a.isbbox
    from annotations a join images i on i.id = a.image_id
    where a.image_id = ${imageId}::integer and ${isObject} and not ${isSeen} order by a.id`.execute(db);
  return rows;
}

export async function storeLooks(
  db: Kysely<Schema>,
  datasetId: number,
  hash: string,
  looks: readonly NewLook[],
): Promise<void> {
  await sql`
    insert into quality_looks (annotation_id, dataset_id, revision, hash, overlap, features)
    select x.annotation, ${datasetId}::integer, x.revision, ${hash}, x.overlap, x.features
    from json_to_recordset(${JSON.stringify(looks)}::json) as x(annotation integer, revision integer, overlap real, features text)
    on conflict (annotation_id) do update set dataset_id = excluded.dataset_id, revision = excluded.revision,
      hash = excluded.hash, overlap = excluded.overlap, features = excluded.features`.execute(db);
}

/** Yields what was seen of a dataset's annotations as they are now, at most `most`, page by page. */
export async function* readLooks(db: Kysely<Schema>, datasetId: number, most: number): AsyncGenerator<StoredLook[]> {
  for (let [last, count] = [0, 0]; count < most; ) {
    // The page comes first: joined with a million annotations, each page would read all of them.
    const { rows } = await sql<{ last: number; looks: StoredLook[] | null }>`
      with page as materialized (
        select * from quality_looks where dataset_id = ${datasetId}::integer and annotation_id > ${last}::integer
        order by annotation_id limit ${Math.min(PAGE, most - count)}::integer)
      select max(l.annotation_id) as last, json_agg(json_build_object('id', a.id, 'revision', a.revision,
          'image', a.image_id, 'category', a.category_id, 'bbox', a.bbox, 'area', a.area, 'width', i.width,
          'height', i.height, 'overlap', l.overlap, 'features', l.features) order by a.id)
        filter (where i.id is not null and a.category_id is not null) as looks
      from page l
      left join annotations a on a.id = l.annotation_id and a.revision = l.revision and ${isLiveAnnotation("a")}
      left join images i on i.id = a.image_id and i.hash = l.hash and ${isLiveImage("i")}`.execute(db);
    const page = rows[0];
    if (!page?.last) return;
    const looks = page.looks ?? [];
    if (looks.length > 0) yield looks;
    last = page.last;
    count += looks.length;
  }
}
