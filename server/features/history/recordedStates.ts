import { type Kysely, sql } from "kysely";
import type { Schema } from "../../db/schema";
import { splitIntoPages } from "../annotations/rows/splitIntoPages";
import { PAGE } from "../scene/readHead";

/** The recorded changes of an annotation up to a revision. */
interface Start {
  subject_id: string;
  /** Its last creation or deletion up to the revision; null if the history has none. */
  action: "create" | "delete" | null;
  revision: number | null;
  /** True if that creation is the state before the first recorded change, such as the imported one. */
  is_baseline: boolean;
  created_at: Date | null;
  /** Its first recorded change. */
  first_action: "create" | "modify" | "delete";
  first_revision: number;
  bytes: number;
}

/**
 * Returns the JSON of the annotations with a recorded change after a revision of their image, as they were at that
 * revision, and the uuids of those whose state is no longer known.
 */
export async function recordedStates(
  db: Kysely<Schema>,
  imageId: number,
  revision: number,
  at: Date | null,
): Promise<{ unknown: string[]; texts: string[] }> {
  const upTo = sql`(h.image_revision is null or h.image_revision <= ${revision}::int)`;
  const { rows } = await sql<Start>`
    with later as (
      select distinct subject_id from edit_history
      where image_id = ${imageId}::int and subject = 'annotation' and image_revision > ${revision}::int
    ), start as (
      select distinct on (h.subject_id) h.subject_id, h.action, h.revision, h.image_revision is null as is_baseline
      from later l join edit_history h on h.subject = 'annotation' and h.subject_id = l.subject_id
      where h.action <> 'modify' and ${upTo} order by h.subject_id, h.revision desc
    ), first as (
      select distinct on (h.subject_id) h.subject_id, h.action, h.revision
      from later l join edit_history h on h.subject = 'annotation' and h.subject_id = l.subject_id
      order by h.subject_id, h.revision
    )
    select l.subject_id, s.action, s.revision, coalesce(s.is_baseline, false) as is_baseline, a.created_at,
      f.action as first_action, f.revision as first_revision,
      coalesce((select sum(pg_column_size(h.fields)) from edit_history h where h.subject = 'annotation'
        and h.subject_id = l.subject_id and h.revision >= s.revision and ${upTo}), 0)::float8 as bytes
    from later l join first f using (subject_id) left join start s using (subject_id)
      left join annotations a on a.uuid = l.subject_id::uuid
    order by a.id`.execute(db);
  const unknown = rows.filter((row) => isUnknown(row)).map(({ subject_id }) => subject_id);
  const present = rows.filter((row) => isPresent(row, at));
  const texts: string[] = [];
  const sizes = present.map(({ bytes }, id) => ({ id, bytes }));
  for (const page of splitIntoPages(sizes, PAGE)) {
    const starts = page.map((index) => present[index]!);
    for (const text of await readStates(db, starts, upTo)) texts.push(text);
  }
  return { unknown, texts };
}

/** True if earlier changes have been deleted, so that the state before the first one left cannot be known. */
const isUnknown = ({ action, first_action, first_revision }: Start): boolean =>
  action === null && !(first_action === "create" && first_revision === 1);

/** An annotation that was imported after the moment did not exist then, though its imported state is recorded. */
const isPresent = ({ action, is_baseline, created_at }: Start, at: Date | null): boolean =>
  action === "create" && !(is_baseline && at && created_at && created_at > at);

/** Returns the JSON of annotations: each field has the last value that was recorded since the start. */
async function readStates(
  db: Kysely<Schema>,
  starts: readonly Start[],
  upTo: ReturnType<typeof sql>,
): Promise<string[]> {
  const [ids, revisions] = [starts.map((start) => start.subject_id), starts.map((start) => start.revision)];
  const { rows } = await sql<{ uuid: string; revision: number; fields: string }>`
    with newest as (
      select distinct on (s.subject_id, k.key) s.subject_id, k.key, h.id, h.revision
      from unnest(${ids}::text[], ${revisions}::int[]) as s(subject_id, revision)
        join edit_history h on h.subject = 'annotation' and h.subject_id = s.subject_id
          and h.revision >= s.revision and ${upTo}
        cross join lateral json_object_keys(h.fields) as k(key)
      order by s.subject_id, k.key, h.revision desc
    )
    select n.subject_id as uuid, max(n.revision) as revision,
      string_agg(to_json(n.key)::text || ':' || (h.fields -> n.key)::text, ',') as fields
    from newest n join edit_history h on h.id = n.id group by n.subject_id`.execute(db);
  const texts = new Map(
    rows.map(({ uuid, revision, fields }) => [uuid, `{"uuid":"${uuid}","revision":${revision},${fields}}`]),
  );
  return ids.flatMap((id) => texts.get(id) ?? []);
}
