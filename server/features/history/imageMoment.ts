import { type Kysely, sql } from "kysely";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { makePause } from "../../threads/makePause";
import { visibleImage } from "../access/access";
import { splitIntoPages } from "../annotations/rows/splitIntoPages";
import { annotationText } from "../scene/annotationText";
import { PAGE } from "../scene/readHead";
import { ringsPage, ringsRows } from "../scene/ringsPage";
import { recordedStates } from "./recordedStates";

interface Read {
  revision: number;
  unknown: string[];
  /** JSON of each annotation. */
  texts: string[];
  /** All annotations of the image that are deleted now, with their revisions. */
  deleted: { uuid: string; revision: number }[];
}

const MAX_ATTEMPTS = 3;

/**
 * Yields the JSON of an image's annotations as they were at a revision of the image. Annotations that have not changed
 * since are read as they are stored, the others from their recorded changes. Throws 404 if the user cannot see the
 * image.
 */
export async function imageMoment(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
  wanted: number,
): Promise<AsyncIterable<string>> {
  const read = await readConsistently();
  return momentText(read);

  async function readConsistently(): Promise<Read> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { image } = await visibleImage(db, user, imageId);
      const moment = await readMoment(db, imageId, Math.min(wanted, image.revision), image.revision);
      const { image: now } = await visibleImage(db, user, imageId);
      if (now.revision === image.revision) return moment;
    }
    // Other users keep writing to the image, so read it in a transaction.
    const reading = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
    return reading.execute(async (trx) => {
      const { image } = await visibleImage(trx, user, imageId);
      return readMoment(trx, imageId, Math.min(wanted, image.revision), image.revision);
    });
  }
}

async function readMoment(db: Kysely<Schema>, imageId: number, revision: number, newest: number): Promise<Read> {
  const at = revision === newest ? null : await timeOf(db, imageId, revision);
  const unchanged = await unchangedTexts(db, imageId, revision, at);
  const { unknown, texts } = await recordedStates(db, imageId, revision, at);
  const deleted = await db
    .selectFrom("annotations")
    .select(["uuid", "revision"])
    .where("image_id", "=", imageId)
    .where("visible", "=", true)
    .where("deleted_at", "is not", null)
    .execute();
  return { revision, unknown, texts: [...unchanged, ...texts], deleted };
}

/**
 * Returns the time of a revision: that of its change, or just before the next recorded change if there is no record of
 * it. Returns null for the time after the last recorded change.
 */
async function timeOf(db: Kysely<Schema>, imageId: number, revision: number): Promise<Date | null> {
  const row = await db
    .selectFrom("edit_history")
    .select(["image_revision", "created_at"])
    .where("image_id", "=", imageId)
    .where("image_revision", ">=", revision)
    .orderBy("image_revision")
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  return row.image_revision === revision ? row.created_at : new Date(row.created_at.getTime() - 1);
}

/**
 * Returns the JSON of the annotations that existed at a revision and have no recorded change after it. The time decides
 * about annotations that were stored or deleted without a record; `at` null means now.
 */
async function unchangedTexts(
  db: Kysely<Schema>,
  imageId: number,
  revision: number,
  at: Date | null,
): Promise<string[]> {
  const { rows: sizes } = await sql<{ id: number; bytes: number }>`
    with last as (
      select distinct on (subject_id) subject_id, action, image_revision from edit_history
      where image_id = ${imageId}::int and subject = 'annotation' and image_revision is not null
      order by subject_id, revision desc
    )
    select a.id, coalesce(pg_column_size(a.shape), 0) as bytes
    from annotations a left join last l on l.subject_id = a.uuid::text
    where a.image_id = ${imageId}::int and a.visible and coalesce(l.image_revision <= ${revision}::int, true)
      and case
        when ${at}::timestamptz is null then a.deleted_at is null
        when l.action is null then a.created_at <= ${at} and (a.deleted_at is null or a.deleted_at > ${at})
        when l.action = 'delete' then false
        else a.deleted_at is null or a.deleted_at > ${at}
      end
    order by a.id`.execute(db);
  const texts: string[] = [];
  const pause = makePause();
  for (const ids of splitIntoPages(sizes, PAGE)) {
    const { rows } = await sql<{ page: string }>`
      select ${ringsPage} as page from annotations where id = any(${ids}::int[])`.execute(db);
    for (const row of ringsRows(rows[0]?.page ?? "")) {
      texts.push(annotationText(row, imageId));
      await pause();
    }
  }
  return texts;
}

async function* momentText({ revision, unknown, texts, deleted }: Read): AsyncGenerator<string> {
  yield `{"revision":${revision},"unknown":${JSON.stringify(unknown)},"annotations":[`;
  for (const [index, text] of texts.entries()) yield index === 0 ? text : `,${text}`;
  yield `],"deleted":${JSON.stringify(deleted)}}`;
}
