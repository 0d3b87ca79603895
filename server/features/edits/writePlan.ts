import { sql, type Transaction } from "kysely";
import { insertAnnotations, updateAnnotations } from "../../db/rows/annotations";
import type { AnnotationRow, Schema } from "../../db/schema";
import { jsonInTurns } from "../../threads/jsonInTurns";
import { listCategories, recountImages } from "../annotations/rows/recountImages";
import type { Author } from "./plan/author";
import type { Plan } from "./plan/plan";
import type { AnnotationState, Snapshot } from "./plan/snapshot";
import { writtenRows } from "./writtenRows";

type Trx = Transaction<Schema>;

/**
 * Writes a plan with one statement per table and kind of write, however many rows change; each takes one JSON
 * parameter. Fifty changed annotations need five statements instead of 150. Only rows with long values take one each.
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
    annotations.filter(({ changed }) => changed.row && !changed.made),
  );
  fillIds(plan);
  await updateImages(trx, snapshot);
  await insertHistory(trx, plan, author);
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
  for await (const written of writtenRows(rows, "shape"))
    for (const { uuid, id } of await insertAnnotations(trx, written)) ids.set(uuid, id);
  for (const { row } of states) row.id = ids.get(row.uuid) ?? 0;
}

/** Stores changed annotations. An unchanged shape is not sent, so that its stored bytes are not rewritten. */
async function storeChanged(trx: Trx, states: readonly AnnotationState[]): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(({ row, changed }) => changesOf(row, changed.shape === true));
  for await (const written of writtenRows(rows, "shape")) await updateAnnotations(trx, written);
}

function changesOf(row: AnnotationRow, reshaped: boolean) {
  const { id, category_id, area, bbox, iscrowd, isbbox, color, metadata, attributes } = row;
  const { keypoints, extra, revision, deleted_at, deleted_by } = row;
  return {
    ...{ id, category_id, reshaped, shape: reshaped ? row.shape : null, area, bbox, iscrowd, isbbox, color, metadata },
    ...{ attributes, keypoints, extra, revision, deleted_at, deleted_by },
  };
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
  const rows = changed.map(({ id, revision, labels, metadata, done, changed }) => ({
    id,
    revision,
    labels: changed.labels ? labels : null,
    metadata: changed.metadata ? metadata : null,
    done: changed.done ? done : null,
  }));
  await sql`
    update images i set revision = x.revision, metadata = coalesce(x.metadata, i.metadata),
      done = coalesce(x.done, i.done),
      labels = case when x.labels is null then i.labels
        else array(select jsonb_array_elements_text(x.labels)::int) end
    from json_to_recordset(${await jsonInTurns(rows)}::json) as x(id int, revision int, labels jsonb, metadata jsonb,
      done boolean)
    where i.id = x.id`.execute(trx);
  const recount = changed.filter((image) => image.changed.count).map((image) => image.id);
  if (recount.length > 0) await recountImages(trx, recount);
  const relist = changed.filter(({ changed: { count, categories } }) => categories && !count).map(({ id }) => id);
  if (relist.length === 0) return;
  const used = [...annotations.values()].filter((state) => state.changed.row).map(({ row }) => row.category_id);
  await listCategories(trx, relist, new Set(used));
}

/** Inserts the entries. A baseline replaces an entry of its revision, which is all that is left of a pruned history. */
async function insertHistory(trx: Trx, { history }: Plan, { user, client }: Author): Promise<void> {
  let written = 0n;
  for await (const { json, long } of writtenRows(history, "fields")) {
    const { numAffectedRows } = await sql`
      insert into edit_history (image_id, image_revision, subject, subject_id, revision, action, fields, edit, client,
        user_id, user_name)
      select image_id, image_revision, subject, subject_id, revision, action, coalesce(${long}::json, fields), edit,
        case when image_revision is null then null else ${client}::text end,
        case when image_revision is null then null else ${user.id}::int end,
        case when image_revision is null then '' else ${user.username}::text end
      from json_to_recordset(${json}::json) as x(image_id int, image_revision int, subject text, subject_id text,
        revision int, action text, fields json, edit uuid)
      on conflict (subject, subject_id, revision) do update set action = excluded.action, fields = excluded.fields
        where excluded.image_revision is null`.execute(trx);
    written += numAffectedRows ?? 0n;
  }
  if (written !== BigInt(history.length)) throw new Error("A revision is already in the history.");
}

async function insertAnswers(trx: Trx, { stored }: Plan, { client }: Author): Promise<void> {
  if (stored.size === 0) return;
  const rows = [...stored].map(([uuid, answer]) => ({ uuid, answer }));
  await sql`
    insert into edits (uuid, client, answer) select uuid, ${client}::text, answer
    from json_to_recordset(${await jsonInTurns(rows)}::json) as x(uuid uuid, answer jsonb)`.execute(trx);
}
