import { sql, type Transaction } from "kysely";
import { type EditedColumn, insertAnnotations, updateAnnotations } from "../../db/rows/annotations";
import type { Schema } from "../../db/schema";
import { isShort, jsonInTurns } from "../../threads/jsonInTurns";
import { listCategories, recountImages } from "../annotations/rows/recountImages";
import { writeComments } from "../comments/storedComments";
import type { Author } from "./plan/author";
import type { HistoryEntry, Plan } from "./plan/plan";
import type { AnnotationState, Snapshot } from "./plan/snapshot";
import { shapeText, writtenRows } from "./writtenRows";

type Trx = Transaction<Schema>;

/**
 * Writes a plan with one statement per table and kind of write, however many rows change; each takes one JSON
 * parameter. Fifty changed annotations need five statements instead of 150. Only rows with long values need a statement
 * each.
 */
export async function writePlan(trx: Trx, snapshot: Snapshot, plan: Plan, author: Author): Promise<void> {
  const annotations = [...snapshot.annotations.values()];
  await updateCategories(trx, snapshot);
  await storeNew(
    trx,
    annotations.filter(({ changed }) => changed.made),
  );
  await storeChanged(
    trx,
    annotations.filter(({ changed }) => changed.columns.size > 0 && !changed.made),
  );
  fillIds(plan);
  await updateImages(trx, snapshot);
  await writeComments(trx, snapshot.comments.values());
  await insertHistory(trx, snapshot, plan, author);
  await insertAnswers(trx, plan, author);
}

async function updateCategories(trx: Trx, { categories }: Snapshot): Promise<void> {
  for (const { row, added, changed } of categories.values()) {
    if (changed.row)
      await trx
        .updateTable("categories")
        .set({
          color: row.color,
          keypoints: JSON.stringify(row.keypoints),
          attributes: JSON.stringify(row.attributes),
          revision: row.revision,
        })
        .where("id", "=", row.id)
        .execute();
    if (added.size > 0)
      await trx
        .insertInto("dataset_categories")
        .values([...added].map((dataset_id) => ({ dataset_id, category_id: row.id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }
}

async function storeNew(trx: Trx, states: readonly AnnotationState[]): Promise<void> {
  if (states.length === 0) return;
  const ids = new Map<string, number>();
  const rows = states.map(({ row }) => row);
  for await (const written of writtenRows(rows, "shape", shapeText))
    for (const { uuid, id } of await insertAnnotations(trx, written)) ids.set(uuid, id);
  for (const { row } of states) row.id = ids.get(row.uuid) ?? 0;
}

/**
 * Stores the changed columns of annotations. An unchanged shape is not sent, so that its stored bytes are not
 * rewritten.
 */
async function storeChanged(trx: Trx, states: readonly AnnotationState[]): Promise<void> {
  if (states.length === 0) return;
  const columns = new Set<EditedColumn>(["revision"]);
  for (const { changed } of states) for (const name of changed.columns) columns.add(name);
  const others = [...columns].filter((name) => name !== "shape");
  const rows = states.map(({ row, changed }) => {
    const reshaped = changed.columns.has("shape");
    const shape = reshaped ? row.shape : null;
    return { id: row.id, reshaped, shape, ...Object.fromEntries(others.map((name) => [name, row[name]])) };
  });
  for await (const written of writtenRows(rows, "shape", shapeText)) await updateAnnotations(trx, columns, written);
}

/** Fills in the ids of new annotations, which are known after the insert. */
function fillIds({ awaitingIds }: Plan): void {
  for (const { state, answer, entry, event } of awaitingIds) {
    answer.id = state.row.id;
    if (event) event.annotation.id = state.row.id;
    if (entry?.action === "create") entry.fields.id = state.row.id;
  }
}

async function updateImages(trx: Trx, { images, annotations }: Snapshot): Promise<void> {
  const changed = [...images.values()].filter((image) => image.changed.revision);
  if (changed.length === 0) return;
  const rows = changed.map(({ id, revision, labels, metadata, done, stage, changed, ...returned }) => ({
    id,
    revision,
    labels: changed.labels ? labels : null,
    metadata: changed.metadata ? metadata : null,
    done,
    stage: changed.stage ? stage : null,
    returned_by: returned.returned_by,
    returned_at: returned.returned_at,
  }));
  await sql`
    update images i set revision = x.revision, metadata = coalesce(x.metadata, i.metadata),
      done = case when x.stage is null then i.done else x.done end, stage = coalesce(x.stage, i.stage),
      returned_by = case when x.stage is null then i.returned_by else x.returned_by end,
      returned_at = case when x.stage is null then i.returned_at else x.returned_at end,
      labels = case when x.labels is null then i.labels
        else array(select jsonb_array_elements_text(x.labels)::int) end
    from json_to_recordset(${await jsonInTurns(rows)}::json) as x(id int, revision int, labels jsonb, metadata jsonb,
      done boolean, stage text, returned_by text, returned_at timestamptz)
    where i.id = x.id`.execute(trx);
  const recount = changed.filter((image) => image.changed.count).map((image) => image.id);
  if (recount.length > 0) await recountImages(trx, recount);
  const relist = changed.filter(({ changed: { count, categories } }) => categories && !count).map(({ id }) => id);
  if (relist.length === 0) return;
  const used = [...annotations.values()]
    .filter(({ changed }) => changed.columns.size > 0)
    .map(({ row }) => row.category_id);
  await listCategories(trx, relist, new Set(used));
}

/**
 * Inserts the history entries. A baseline replaces the entry of the same revision, if that is all that is left of a
 * pruned history. A shape that is already in the annotation's row is copied from there, which is faster than sending it
 * a second time.
 */
async function insertHistory(trx: Trx, snapshot: Snapshot, { history }: Plan, { user, client }: Author): Promise<void> {
  const rows = history.map((entry) => withoutStoredShape(entry, snapshot));
  let written = 0n;
  for await (const { json, long } of writtenRows(rows, "fields")) {
    const { numAffectedRows } = await sql`
      insert into edit_history (image_id, image_revision, subject, subject_id, revision, action, fields, edit, client,
        user_id, user_name)
      select image_id, image_revision, subject, subject_id, revision, action,
        case when x.shape_of is null then coalesce(${long}::json, fields)
          else (select '{"rings":' || (a.shape -> 'rings')::text || ',' || substr(x.fields::text, 2)
            from annotations a where a.id = x.shape_of)::json end,
        edit,
        case when image_revision is null then null else ${client}::text end,
        case when image_revision is null then null else ${user.id}::int end,
        case when image_revision is null then '' else ${user.username}::text end
      from json_to_recordset(${json}::json) as x(image_id int, image_revision int, subject text, subject_id text,
        revision int, action text, fields json, edit uuid, shape_of int)
      on conflict (subject, subject_id, revision) do update set action = excluded.action, fields = excluded.fields
        where excluded.image_revision is null`.execute(trx);
    written += numAffectedRows ?? 0n;
  }
  if (written !== BigInt(history.length)) throw new Error("A revision is already in the history.");
}

/** Returns an entry without its polygons, and with the id of the stored annotation that has them, if one has. */
function withoutStoredShape(
  entry: HistoryEntry,
  { annotations }: Snapshot,
): HistoryEntry & { shape_of: number | null } {
  const { rings, ...fields } = entry.fields;
  if (rings === undefined) return { ...entry, shape_of: null };
  const row = annotations.get(entry.subject_id)?.row;
  const shape = row?.shape;
  const isStored = shape && "rings" in shape && shape.rings === rings && Object.keys(fields).length > 0;
  // A long shape has a parameter of its own, which the database reads once.
  if (!row || !isStored || !isShort(rings)) return { ...entry, shape_of: null };
  return { ...entry, fields, shape_of: row.id };
}

async function insertAnswers(trx: Trx, { stored }: Plan, { client }: Author): Promise<void> {
  if (stored.size === 0) return;
  const rows = [...stored].map(([uuid, answer]) => ({ uuid, answer }));
  await sql`
    insert into edits (uuid, client, answer) select uuid, ${client}::text, answer
    from json_to_recordset(${await jsonInTurns(rows)}::json) as x(uuid uuid, answer jsonb)`.execute(trx);
}
