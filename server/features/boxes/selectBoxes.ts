import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { isLiveAnnotation } from "../../db/rows/annotations";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";

/** A selection of boxes, as data for a task: the boxes on these images and of these categories. */
export const boxSelection = z.object({
  dataset_id: z.number(),
  images: z.union([
    z.object({ ids: z.array(z.number()) }),
    z.object({ ranges: z.array(z.tuple([z.number(), z.number()])) }),
  ]),
  /** Null for all categories. */
  categories: z.array(z.number()).nullable(),
  /**
   * Ids of the boxes as ascending ranges, both ends included: boxes that are drawn later do not belong to the
   * selection. Absent in a count, and in tasks queued by an older version.
   */
  boxes: z.array(z.tuple([z.number(), z.number()])).optional(),
});
export type BoxSelection = z.infer<typeof boxSelection>;

/** Condition on `annotations a`: the annotation is only a box. Crowds are left out, as their box holds many objects. */
const isBox = sql`${isLiveAnnotation("a")} and a.isbbox and not a.iscrowd`;

export async function countBoxes(
  db: Kysely<Schema>,
  selection: BoxSelection,
): Promise<{ boxes: number; images: number }> {
  const { rows } = await sql<{ boxes: number; images: number }>`
    select count(*)::integer as boxes, count(distinct a.image_id)::integer as images
    from ${boxesOf(selection)}`.execute(db);
  return rows[0] ?? { boxes: 0, images: 0 };
}

/** Returns the selection with the boxes that it has now, and their number. */
export async function withPresentBoxes(
  db: Kysely<Schema>,
  selection: BoxSelection,
): Promise<{ selection: BoxSelection; count: number }> {
  const { rows } = await sql<{ from: number; to: number }>`
    select min(id) as "from", max(id) as "to" from (
      select a.id, a.id - row_number() over (order by a.id) as stretch from ${boxesOf(selection)}
    ) as boxes group by stretch order by 1`.execute(db);
  const boxes = rows.map(({ from, to }): [number, number] => [from, to]);
  return { selection: { ...selection, boxes }, count: boxes.reduce((sum, [from, to]) => sum + to - from + 1, 0) };
}

/**
 * Returns the next images with boxes after the id `last`, in ascending order, with their number of boxes, which is 0 if
 * all were drawn later.
 */
export async function imagesWithBoxes(
  db: Kysely<Schema>,
  selection: BoxSelection,
  last: number,
  limit: number,
): Promise<{ id: number; boxes: number }[]> {
  const { rows } = await sql<{ id: number; ids: number[] }>`
    select a.image_id as id, array_agg(a.id) as ids from ${boxesOf(selection)} and a.image_id > ${last}::integer
    group by a.image_id order by 1 limit ${limit}`.execute(db);
  return rows.map(({ id, ids }) => ({ id, boxes: ids.filter((each) => isSelected(selection, each)).length }));
}

/** Returns the ids of an image's boxes that belong to the selection. */
export async function boxesOfImage(db: Kysely<Schema>, selection: BoxSelection, imageId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id from ${boxesOf(selection)} and a.image_id = ${imageId}::integer order by a.id`.execute(db);
  return rows.map(({ id }) => id).filter((id) => isSelected(selection, id));
}

/** Returns true for the id of a box that was there when the selection was made. */
function isSelected({ boxes }: BoxSelection, id: number): boolean {
  if (!boxes) return true;
  let [from, to] = [0, boxes.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((boxes[middle]?.[1] ?? 0) < id) from = middle + 1;
    else to = middle;
  }
  return (boxes[from]?.[0] ?? Number.POSITIVE_INFINITY) <= id;
}

function boxesOf({ dataset_id, images, categories }: BoxSelection) {
  const among = "ids" in images ? sql`a.image_id = any(${images.ids}::int[])` : inRanges(images.ranges);
  const ofCategories = categories ? sql`and a.category_id = any(${categories}::int[])` : sql``;
  return sql`annotations a join images i on i.id = a.image_id
    where i.dataset_id = ${dataset_id}::integer and ${isLiveImage("i")} and ${isBox} and ${among} ${ofCategories}`;
}

const inRanges = (ranges: readonly (readonly [number, number])[]) =>
  sql`exists (select from unnest(${ranges.map(([from]) => from)}::int[], ${ranges.map(([, to]) => to)}::int[])
    as range(first, last) where a.image_id between range.first and range.last)`;
