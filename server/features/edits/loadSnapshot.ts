import { sql, type Transaction } from "kysely";
import type { AnnotationEdit, Edit } from "../../../shared/edits/edit";
import { subjectIdOf, subjectOf } from "../../../shared/edits/subject";
import type { Rle, Shape } from "../../../shared/entities/shape";
import { type CurrentUser, mayReview } from "../../base/permissions";
import { SHORT_COLUMNS } from "../../db/rows/annotations";
import { isLiveImage } from "../../db/rows/images";
import type { AnnotationRow, Schema } from "../../db/schema";
import { categoriesSeenBy, datasetsSeenBy } from "../access/access";
import { isRle } from "../annotations/rows/annotationRow";
import { withUnreadShape } from "../annotations/rows/unreadShape";
import { loadComments } from "../comments/storedComments";
import type { AnnotationState, EarlierAnswer, ImageState, Later, Snapshot } from "./plan/snapshot";
import { plannedSubject } from "./plan/subjects";
import type { ShapesAhead } from "./readAhead";

type Trx = Transaction<Schema>;

/** Shapes that need not be read. */
interface KnownShapes {
  /** Shapes of rows that were read before and may have changed since. */
  ahead: ShapesAhead;
  /** Leaves out the shapes of annotations whose creation is in the history. */
  withoutShapes: boolean;
}

/**
 * Locks the images named by the edits and by `imageIds`, and reads all rows needed to plan the edits, in at most six
 * statements, and two more for comments. Images are locked in order of id, then the categories that may change, so that
 * two batches cannot deadlock. Rows that the user may not see are left out.
 */
export async function loadSnapshot(
  trx: Trx,
  user: CurrentUser,
  edits: readonly Edit[],
  imageIds: Iterable<number>,
  known: KnownShapes,
): Promise<Snapshot> {
  const images = await lockImages(trx, user, new Set([...imageIds, ...edits.map((edit) => edit.image_id)]));
  const earlierAnswers = await loadEarlierAnswers(trx, edits);
  const ofAnnotations = edits.filter((edit) => edit.subject === "annotation");
  const annotations = await loadAnnotations(trx, ofAnnotations, known);
  const comments = await loadComments(
    trx,
    edits.filter((edit) => edit.subject === "comment"),
  );
  const snapshot: Snapshot = { images, annotations, categories: new Map(), earlierAnswers, ...comments };
  await loadCategories(trx, user, edits, snapshot);
  await loadLater(trx, edits, snapshot);
  await loadMasks(trx, ofAnnotations, snapshot);
  return snapshot;
}

async function lockImages(trx: Trx, user: CurrentUser, ids: ReadonlySet<number>): Promise<Snapshot["images"]> {
  if (ids.size === 0) return new Map();
  const rows = await trx
    .selectFrom("images")
    .innerJoin("datasets", "datasets.id", "images.dataset_id")
    .leftJoin("dataset_members", (join) =>
      join.onRef("dataset_members.dataset_id", "=", "datasets.id").on("dataset_members.user_id", "=", user.id),
    )
    .select(["images.id", "images.dataset_id", "images.width", "images.height", "images.revision"])
    .select(["images.reload_revision", "images.labels", "images.metadata", "images.done", "images.stage"])
    .select(["images.returned_by", "images.returned_at", "datasets.review"])
    .select("datasets.default_annotation_metadata as defaultMetadata")
    .select(["datasets.owner_id as ownerId", "dataset_members.role"])
    .where("images.id", "=", sql<number>`any(${[...ids]}::int[])`)
    .where(isLiveImage())
    .where("images.dataset_id", "in", datasetsSeenBy(trx, user).select("datasets.id"))
    .orderBy("images.id")
    .forUpdate("images")
    .execute();
  return new Map(
    rows.map(({ review, ownerId, role, ...row }): [number, ImageState] => [
      row.id,
      {
        ...row,
        returned_at: row.returned_at?.toISOString() ?? null,
        isReviewed: review,
        ties: { ownerId, role },
        mayReview: mayReview(user, { ownerId, role }),
        later: noneAfter(row.revision),
        changed: {},
      },
    ]),
  );
}

const noneAfter = (revision: number): Later => ({ changes: [], revision });

async function loadEarlierAnswers(trx: Trx, edits: readonly Edit[]): Promise<Map<string, EarlierAnswer>> {
  if (edits.length === 0) return new Map();
  const rows = await trx
    .selectFrom("edits")
    .select(["uuid", "client", "answer"])
    .where("uuid", "=", sql<string>`any(${edits.map((edit) => edit.uuid)}::uuid[])`)
    .execute();
  return new Map(rows.map(({ uuid, client, answer }) => [uuid, { client, answer }]));
}

async function loadAnnotations(
  trx: Trx,
  edits: readonly AnnotationEdit[],
  { ahead, withoutShapes }: KnownShapes,
): Promise<Snapshot["annotations"]> {
  const uuids = edits.map((edit) => edit.target);
  if (uuids.length === 0) return new Map();
  const columns = sql.join(SHORT_COLUMNS.map((name) => sql.ref(`a.${name}`)));
  const versions = [...ahead.values()].map(({ version }) => version);
  // Reads each row as one value, since PGlite takes a few microseconds for each of its two dozen columns.
  const { rows } = await sql<{ row: AnnotationInJson; shape: Shape; logged: boolean; is_ahead: boolean }>`
    select row_to_json(x) as row, h.logged, v.version is not null as is_ahead,
      case when v.version is not null or h.logged and ${withoutShapes}::boolean then null else a.shape end as shape
    from annotations a
    left join unnest(${[...ahead.keys()]}::uuid[], ${versions}::text[]) as v(uuid, version)
      on v.uuid = a.uuid and v.version = a.xmin::text
    cross join lateral (
      select exists (
        select 1 from edit_history
        -- Other entries have only the changed fields, and may be all that is left of a pruned history.
        where subject = 'annotation' and subject_id = a.uuid::text and action = 'create'
      ) as logged
      -- Without it, the database looks once for each use of the column.
      offset 0
    ) h
    cross join lateral (select ${columns}) x
    where a.uuid = any(${uuids}::uuid[])`.execute(trx);
  return new Map(
    rows.map(({ row, shape, logged, is_ahead }) => [
      row.uuid,
      stateOf(row, (is_ahead && ahead.get(row.uuid)?.shape) || shape, logged, logged && withoutShapes),
    ]),
  );
}

type AnnotationInJson = Omit<AnnotationRow, "shape" | "created_at" | "deleted_at"> & {
  created_at: string;
  deleted_at: string | null;
};

function stateOf(json: AnnotationInJson, shape: Shape, logged: boolean, isUnread: boolean): AnnotationState {
  const created_at = new Date(json.created_at);
  const deleted_at = json.deleted_at === null ? null : new Date(json.deleted_at);
  const row = { ...json, created_at, deleted_at };
  return {
    row: isUnread ? withUnreadShape(row) : { ...row, shape },
    logged,
    later: noneAfter(row.revision),
    originalMask: isRle(shape) ? shape : null,
    changed: { columns: new Set() },
  };
}

/** Locks and loads the categories that planning the edits needs. */
async function loadCategories(trx: Trx, user: CurrentUser, edits: readonly Edit[], snapshot: Snapshot): Promise<void> {
  const needed = edits.map((edit) => plannedSubject(edit).categoriesFor(edit, snapshot));
  const ids = new Set(needed.flatMap(({ read }) => read));
  const locked = new Set(needed.flatMap((each) => each.locked));
  if (ids.size === 0) return;
  if (locked.size > 0) await lockCategories(trx, [...locked]);
  const datasets = [...new Set([...snapshot.images.values()].map((image) => image.dataset_id))];
  const rows = await trx
    .selectFrom("categories")
    .selectAll()
    .select((eb) => eb("categories.id", "in", categoriesSeenBy(trx, user).select("categories.id")).as("seen"))
    .select(
      sql<number[]>`array(select dataset_id from dataset_categories
        where category_id = categories.id and dataset_id = any(${datasets}::int[]))`.as("listedBy"),
    )
    .where("id", "=", sql<number>`any(${[...ids]}::int[])`)
    .execute();
  for (const { seen, listedBy, ...row } of rows)
    snapshot.categories.set(row.id, {
      row,
      seen: seen === true,
      datasets: new Set(listedBy),
      added: new Set(),
      later: noneAfter(row.revision),
      changed: {},
    });
}

async function lockCategories(trx: Trx, ids: readonly number[]): Promise<void> {
  await sql`select id from categories where id = any(${ids}::int[]) order by id for no key update`.execute(trx);
}

/** Loads the changes of each subject after the oldest base revision of its edits. */
async function loadLater(trx: Trx, edits: readonly Edit[], snapshot: Snapshot): Promise<void> {
  const wanted = new Map<string, { subject: string; subject_id: string; base: number; later: Later }>();
  for (const edit of edits) {
    const later = plannedSubject(edit).laterOf(edit, snapshot);
    if (!later || edit.base >= later.revision) continue;
    const subject_id = subjectIdOf(edit);
    const key = subjectOf(edit);
    const base = Math.min(edit.base, wanted.get(key)?.base ?? edit.base);
    wanted.set(key, { subject: edit.subject, subject_id, base, later });
  }
  if (wanted.size === 0) return;
  const list = [...wanted.values()].map(({ subject, subject_id, base }) => ({ subject, subject_id, base }));
  const { rows } = await sql<{
    subject: Edit["subject"];
    subject_id: string;
    revision: number;
    action: "create" | "modify" | "delete";
    client: string | null;
    edit: string | null;
    user: string;
    at: Date;
    keys: string[];
  }>`select h.subject, h.subject_id, h.revision, h.action, h.client, h.edit, h.user_name as user, h.created_at as at,
      array(select json_object_keys(h.fields)) as keys
    from json_to_recordset(${JSON.stringify(list)}::json) as w(subject text, subject_id text, base int)
    join edit_history h on h.subject = w.subject and h.subject_id = w.subject_id and h.revision > w.base
    where h.image_revision is not null or h.subject <> 'annotation' order by h.id`.execute(trx);
  for (const { subject, subject_id, revision, action, client, edit, user, at, keys } of rows)
    wanted.get(`${subject} ${subject_id}`)?.later.changes.push({
      ...{ subject, revision, action, client, edit, user, at },
      fields: Object.fromEntries(keys.map((key) => [key, null])),
    });
}

/**
 * Loads the masks that edits restore. Such an edit has `rings: null`, and the mask of its annotation was replaced by a
 * drawing.
 */
async function loadMasks(trx: Trx, edits: readonly AnnotationEdit[], { annotations }: Snapshot): Promise<void> {
  const uuids = edits.flatMap(({ target, after }) => {
    if (after.rings !== null) return [];
    const state = annotations.get(target);
    return state && !state.originalMask ? [target] : [];
  });
  if (uuids.length === 0) return;
  const { rows } = await sql<{ subject_id: string; rle: Rle }>`
    select distinct on (subject_id) subject_id, fields -> 'rle' as rle from edit_history
    where subject = 'annotation' and subject_id = any(${uuids}::text[]) and json_typeof(fields -> 'rle') = 'object'
    order by subject_id, revision desc`.execute(trx);
  for (const { subject_id, rle } of rows) {
    const state = annotations.get(subject_id);
    if (state) state.originalMask = rle;
  }
}
