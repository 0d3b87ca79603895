import { type Kysely, sql } from "kysely";
import { type HistoryStep, MAX_NAMED, MAX_STEPS } from "../../../shared/api/history";
import { fieldsIn, type Subject } from "../../../shared/edits/fields";
import type { Stage } from "../../../shared/entities/image";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { visibleImage } from "../access/access";
import { groupChanges, type RecordedChange } from "./groupChanges";

/** Most changes that are read for a response. */
const MAX_CHANGES = 4_000;
/** Changes with longer values are shapes; their keys are not read, since that would parse the shape. */
const LONG_BYTES = 20_000;
const FIRST_REVISION = 1;

interface ChangeRow {
  image_revision: number;
  subject: Subject;
  subject_id: string;
  action: "create" | "modify" | "delete";
  client: string | null;
  user_name: string;
  created_at: Date;
  keys: string[] | null;
  stage: Stage | null;
}

/**
 * Returns steps of an image's history, newest first: those up to the revision before `before`, or the newest ones.
 * Throws 404 if the user cannot see the image.
 */
export async function historySteps(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
  before?: number,
): Promise<{ revision: number; steps: HistoryStep[]; older: number | null }> {
  const { image } = await visibleImage(db, user, imageId);
  const top = Math.min(before ?? Number.POSITIVE_INFINITY, image.revision + 1);
  const { rows } = await sql<ChangeRow>`
    select image_revision, subject, subject_id, action, client, user_name, created_at,
      case when action <> 'modify' then null when pg_column_size(fields) > ${LONG_BYTES}::int then array['rings']
        else array(select json_object_keys(fields)) end as keys,
      case when subject = 'image' then fields ->> 'stage' end as stage
    from edit_history where image_id = ${imageId}::int and image_revision < ${top}::int
    order by image_revision desc limit ${MAX_CHANGES}::int`.execute(db);
  const isAll = rows.length < MAX_CHANGES;
  const changes = rows.map(changeOf);
  const grouped = groupChanges(changes, { top, bottom: isAll ? FIRST_REVISION : rows.at(-1)!.image_revision - 1 });
  const steps = grouped.slice(0, MAX_STEPS);
  const last = steps.at(-1);
  const hasOlder = grouped.length > steps.length || !isAll;
  await dateBulkSteps(db, imageId, grouped, top);
  return { revision: image.revision, steps, older: hasOlder && last ? last.from : null };
}

const changeOf = ({ keys, ...row }: ChangeRow): RecordedChange => ({
  revision: row.image_revision,
  subject: row.subject,
  subjectId: row.subject_id,
  action: row.action,
  client: row.client,
  user: row.user_name,
  at: row.created_at.getTime(),
  stage: row.stage,
  fields: keys ? fieldsIn(row.subject, Object.fromEntries(keys.map((key) => [key, 0]))) : [],
});

/**
 * Adds the annotations that were stored without a record to the bulk steps, by the time between their neighbours.
 * `top`: the revision after the newest step.
 */
async function dateBulkSteps(db: Kysely<Schema>, imageId: number, steps: HistoryStep[], top: number): Promise<void> {
  const isAtTop = steps[0]?.kind === "bulk";
  const next = isAtTop
    ? await db
        .selectFrom("edit_history")
        .select("created_at")
        .where("image_id", "=", imageId)
        .where("image_revision", ">=", top)
        .orderBy("image_revision")
        .limit(1)
        .executeTakeFirst()
    : undefined;
  const timeAfter = (index: number) => steps[index - 1]?.at ?? next?.created_at.toISOString() ?? null;
  const bulk = steps.flatMap((step, index) =>
    step.kind === "bulk" ? [{ step, since: steps[index + 1]?.at ?? null, until: timeAfter(index) }] : [],
  );
  if (bulk.length === 0) return;
  const { rows } = await sql<{ uuid: string; created_at: Date }>`
    select a.uuid, a.created_at from annotations a
    where a.image_id = ${imageId}::int and a.visible and not exists (
      select from edit_history h where h.subject = 'annotation' and h.subject_id = a.uuid::text and h.revision = 1
        and h.action = 'create' and h.image_revision is not null)`.execute(db);
  for (const { step, since, until } of bulk) {
    const [from, to] = [since ? Date.parse(since) : 0, until ? Date.parse(until) : Number.POSITIVE_INFINITY];
    const added = rows.filter(({ created_at }) => created_at.getTime() > from && created_at.getTime() <= to);
    step.created = added.length;
    step.annotations = added.slice(0, MAX_NAMED).map(({ uuid }) => uuid);
    const newest = Math.max(...added.map(({ created_at }) => created_at.getTime()));
    step.at = added.length > 0 ? new Date(newest).toISOString() : null;
  }
}
