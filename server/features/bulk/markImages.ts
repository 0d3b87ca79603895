import { sql, type Transaction } from "kysely";
import { isDone, mayMoveTo, movedTo, ONLY_REVIEWERS, type StageState, stageAfter } from "../../../shared/rules/stages";
import type { Schema } from "../../db/schema";
import { recordBefore } from "./before";
import type { RaisedImage } from "./bulkWrite";
import { type Change, changedSince, type Failure, type Order } from "./change";
import { groupsOf } from "./seenValues";

/** An image with its new stage. */
type MovedImage = StageState & { id: number };

/**
 * Moves images to another stage. Returns those that changed, and a failure for each that the user may not move, or that
 * another user has moved since the user saw it.
 */
export async function markImages(
  trx: Transaction<Schema>,
  order: Order,
  change: Extract<Change, { what: "mark" }>,
  ids: readonly number[],
): Promise<{ raised: RaisedImage[]; refused: Failure[] }> {
  const { rows } = await sql<MovedImage & { path: string; isReviewed: boolean; user: string }>`
    select i.id, i.path, i.stage, i.returned_by, to_json(i.returned_at) #>> '{}' as returned_at, d.review as "isReviewed",
      coalesce((select username from users where id = ${order.person_id}::integer), '') as user
    from images i join datasets d on d.id = i.dataset_id
    where i.id = any(${ids}::integer[]) order by i.id`.execute(trx);
  const refused: Failure[] = [];
  const moved: MovedImage[] = [];
  const { mayReview, seen = [] } = change;
  const seenOf = groupsOf(seen, ids);
  const at = new Date().toISOString();
  for (const { id, path, isReviewed, user, ...image } of rows) {
    const to = stageAfter(change, image, isReviewed);
    if (to === image.stage) continue;
    if ((seenOf.get(id)?.stage ?? image.stage) !== image.stage)
      refused.push({ id, message: changedSince("stage", path) });
    else if (mayMoveTo(to, image, { isReviewed, mayReview }))
      moved.push({ id, ...movedTo(to, image, { user, at, mayReview }) });
    else refused.push({ id, message: `${path}: ${ONLY_REVIEWERS}` });
  }
  for (const stage of new Set(moved.map((image) => image.stage))) {
    const group = moved.filter((image) => image.stage === stage).map(({ id }) => id);
    await recordBefore(trx, order, {
      before: sql`jsonb_build_object('stage', stage, 'returned_by', returned_by, 'returned_at', returned_at)`,
      after: sql`jsonb_build_object('stage', ${stage}::text)`,
      which: sql`id = any(${group}::integer[])`,
    });
  }
  return { raised: await writeStages(trx, order.person_id, moved), refused };
}

/**
 * Stores the stages of images, with an entry in the history of each. Returns the images, which open pages need not
 * reload, since they get the entry.
 */
export async function writeStages(
  trx: Transaction<Schema>,
  userId: number,
  images: readonly MovedImage[],
): Promise<RaisedImage[]> {
  if (images.length === 0) return [];
  const rows = images.map((image) => ({ ...image, done: isDone(image.stage) }));
  const { rows: raised } = await sql<RaisedImage>`
    with moved as (
      update images i set stage = x.stage, done = x.done, returned_by = x.returned_by, returned_at = x.returned_at,
        revision = i.revision + 1
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(id integer, stage text, done boolean, returned_by text,
        returned_at timestamptz)
      where i.id = x.id returning i.id, i.revision, i.stage, i.done, i.returned_by, i.returned_at
    ), logged as (
      insert into edit_history (image_id, image_revision, subject, subject_id, revision, action, fields, user_id, user_name)
      select m.id, m.revision, 'image', m.id::text, m.revision, 'modify', json_build_object('done', m.done,
        'stage', m.stage, 'returned_by', m.returned_by, 'returned_at', m.returned_at), ${userId}::integer,
        coalesce((select username from users where id = ${userId}::integer), '')
      from moved m
    )
    select id, revision from moved order by id`.execute(trx);
  return raised;
}
