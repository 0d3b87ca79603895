import { colorFor } from "../../../../shared/edits/apply";
import { mergedAttributes } from "../../../../shared/edits/attributes";
import { allFields } from "../../../../shared/edits/fields";
import { fieldsOfAnnotation } from "../../../../shared/edits/make";
import { same } from "../../../../shared/edits/same";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Json } from "../../../../shared/entities/scalars";
import { defaultAttributes } from "../../../../shared/rules/attributeValues";
import { EXTRA_KEYPOINTS_KEY } from "../../../../shared/rules/keypointTriples";
import type { EditedColumn } from "../../../db/rows/annotations";
import type { AnnotationRow } from "../../../db/schema";
import { annotationOf, annotationWithoutShape, measured } from "../../annotations/rows/annotationRow";
import type { ServerAnnotationEdit } from "../../annotations/rows/serverEdit";
import { leavesShape } from "../../annotations/rows/unreadShape";
import type { Author } from "./author";
import { conflictsOf } from "./conflicts";
import { absentAnnotation, Conflict, Refusal } from "./plan";
import { addCategoryUse, movedKeypoints, requireLabels } from "./planCategoryUse";
import { changesShape, historyShape, shapeAfter, shapeOfNew } from "./planShape";
import type { AnnotationState, ImageState, Snapshot } from "./snapshot";

/** Outcome of an edit to an annotation. `fields` are the new values of changed fields; undefined if nothing changed. */
export interface AnnotationOutcome {
  state: AnnotationState;
  action: "create" | "modify" | "delete";
  fields: { [key: string]: Json } | undefined;
  /** True if the annotation already had this content. */
  seen?: boolean;
}

/** Applies an edit to the snapshot. Throws Refusal or Conflict, and then leaves the snapshot unchanged. */
export function planAnnotation(
  edit: ServerAnnotationEdit,
  image: ImageState,
  snapshot: Snapshot,
  author: Author,
): AnnotationOutcome {
  const state = snapshot.annotations.get(edit.target);
  if (state && (state.row.image_id !== image.id || !state.row.visible)) throw absentAnnotation();
  if (edit.action === "create")
    return state ? planExisting(edit, state, image, snapshot, author) : planNew(edit, image, snapshot, author);
  if (!state) throw absentAnnotation();
  if (edit.action === "delete") return planDelete(edit, state, image, author);
  if (state.row.deleted_at) throw new Conflict(allFields("annotation"), null, state.row.revision);
  refuseConflicts(edit, state, author);
  const fields = applyChange(edit, state, image, snapshot);
  return { state, action: "modify", fields };
}

function planNew(edit: ServerAnnotationEdit, image: ImageState, snapshot: Snapshot, author: Author): AnnotationOutcome {
  const { after } = edit;
  if (after.category_id === undefined) throw new Refusal("A category is required.");
  requireLabels(after.keypoints, after.category_id, snapshot);
  const shape = shapeOfNew(edit, image, after.keypoints ?? null);
  addCategoryUse(after.category_id, image, snapshot);
  const row: AnnotationRow = {
    id: 0,
    uuid: edit.target,
    image_id: image.id,
    category_id: after.category_id,
    iscrowd: false,
    ...shape,
    color: after.color ?? colorFor(edit.target),
    metadata: after.metadata ?? image.defaultMetadata,
    attributes: storedAttributes(
      after.attributes ?? defaultAttributes(snapshot.categories.get(after.category_id)?.row.attributes),
    ),
    keypoints: after.keypoints ?? null,
    extra: extraWith(null, edit.extraKeypoints),
    creator_id: author.user.id,
    creator_name: author.user.username,
    milliseconds: 0,
    revision: 0,
    import_id: null,
    import_item: null,
    import_revision: 1,
    visible: true,
    created_at: new Date(),
    deleted_at: null,
    deleted_by: null,
  };
  const state: AnnotationState = {
    row,
    logged: true,
    later: { changes: [], revision: 0 },
    originalMask: null,
    changed: { made: true, columns: new Set() },
  };
  snapshot.annotations.set(edit.target, state);
  image.changed.count = true;
  return { state, action: "create", fields: historyFields(row) };
}

/**
 * Plans a `create` of an existing annotation: a repeat if the content is equal, otherwise a conflict. A deleted
 * annotation is restored.
 */
function planExisting(
  edit: ServerAnnotationEdit,
  state: AnnotationState,
  image: ImageState,
  snapshot: Snapshot,
  author: Author,
): AnnotationOutcome {
  const { row } = state;
  if (!row.deleted_at) {
    const live = annotationOf(row);
    if (!isRepeat(edit, live)) throw new Conflict(allFields("annotation"), live, row.revision);
    return { state, action: "create", fields: undefined, seen: true };
  }
  const conflicts = conflictsOf(edit, { ...fieldsOfAnnotation(annotationOf(row)) }, state.later, author.client);
  if (conflicts.length > 0) throw new Conflict(conflicts, null, row.revision);
  applyChange(edit, state, image, snapshot);
  row.deleted_at = null;
  row.deleted_by = null;
  addDeletion(state);
  image.changed.count = true;
  return { state, action: "create", fields: historyFields(row) };
}

/** Returns true if the edit has the same content as the stored annotation. */
function isRepeat({ after }: ServerAnnotationEdit, live: Annotation): boolean {
  return Object.entries(after).every(
    ([key, value]) =>
      same(value, live[key as keyof Annotation]) || (key === "rings" && value === null && live.rings?.length === 0),
  );
}

/** Plans a deletion. Deleting a deleted annotation changes nothing. */
function planDelete(
  edit: ServerAnnotationEdit,
  state: AnnotationState,
  image: ImageState,
  author: Author,
): AnnotationOutcome {
  const { row } = state;
  if (row.deleted_at) return { state, action: "delete", fields: undefined };
  refuseConflicts(edit, state, author);
  row.deleted_at = new Date();
  row.deleted_by = author.user.id;
  addDeletion(state);
  image.changed.count = true;
  return { state, action: "delete", fields: {} };
}

function addDeletion({ changed: { columns } }: AnnotationState): void {
  columns.add("deleted_at").add("deleted_by");
}

function refuseConflicts(edit: ServerAnnotationEdit, state: AnnotationState, author: Author): void {
  const { row, later } = state;
  const stored = leavesShape(edit) ? annotationWithoutShape(row) : annotationOf(row);
  const conflicts = conflictsOf(edit, stored, later, author.client);
  if (conflicts.length > 0) throw new Conflict(conflicts, annotationOf(row), row.revision);
}

/** Applies `after` to a stored row and returns the changed fields. Checks everything before it changes anything. */
function applyChange(edit: ServerAnnotationEdit, state: AnnotationState, image: ImageState, snapshot: Snapshot) {
  const { after } = edit;
  const { row } = state;
  const fields: { [key: string]: Json } = {};
  const next: Partial<Pick<AnnotationRow, EditedColumn>> = {};
  const changesCategory = after.category_id !== undefined && after.category_id !== row.category_id;
  requireLabels(after.keypoints, after.category_id ?? row.category_id, snapshot);

  if (after.keypoints !== undefined && !same(after.keypoints, row.keypoints)) {
    next.keypoints = after.keypoints;
    fields.keypoints = after.keypoints;
  }
  const extra = extraWith(row.extra, edit.extraKeypoints);
  if (!same(extra, row.extra)) {
    next.extra = extra;
    fields.keypoints ??= row.keypoints;
  }
  if (changesShape(edit, row)) {
    Object.assign(next, shapeAfter(edit, state, image));
  } else if (next.keypoints !== undefined && row.shape === null && !row.isbbox) {
    next.bbox = measured([], next.keypoints, image).bbox;
    fields.bbox = next.bbox;
  }
  if (after.color !== undefined && after.color !== row.color) next.color = fields.color = after.color;
  if (after.metadata !== undefined && !same(after.metadata, row.metadata)) {
    next.metadata = after.metadata;
    fields.metadata = after.metadata as Json;
  }
  const { attributes } = mergedAttributes(edit, { attributes: row.attributes ?? {} });
  if (attributes && !same(attributes, row.attributes ?? {})) {
    next.attributes = storedAttributes(attributes);
    fields.attributes = attributes as Json;
  }
  if (changesCategory && after.category_id !== undefined) {
    const moved = movedKeypoints(row, after.category_id, image, snapshot);
    addCategoryUse(after.category_id, image, snapshot);
    next.category_id = fields.category_id = after.category_id;
    if (moved && after.keypoints === undefined) {
      next.keypoints = moved;
      fields.keypoints = moved;
    }
  }
  if (Object.keys(next).length === 0) return undefined;

  const wasShown = isSurelyShown(row);
  Object.assign(row, next);
  for (const name of Object.keys(next)) state.changed.columns.add(name as EditedColumn);
  if (next.shape !== undefined) Object.assign(fields, historyShape(row));
  const affectsShape = next.shape !== undefined || next.keypoints !== undefined;
  if (affectsShape && !(wasShown && isSurelyShown(row))) image.changed.count = true;
  if (changesCategory) image.changed.categories = true;
  return fields;
}

/**
 * Returns true if a live annotation certainly counts as shown (`isShown` in SQL), so that it need not be counted again.
 * Counting thousands of annotations because some were moved would take longer than storing the moves.
 */
const isSurelyShown = ({ isbbox, area, keypoints }: AnnotationRow): boolean =>
  isbbox || area > 0 || (keypoints?.length ?? 0) > 0;

/** Returns attributes as they are stored: null for none, so that exports leave them out. */
const storedAttributes = (attributes: AnnotationRow["attributes"]): AnnotationRow["attributes"] =>
  attributes && Object.keys(attributes).length > 0 ? attributes : null;

/** Returns `extra` with the extra keypoints, which are stored next to the unknown keys of an imported file. */
function extraWith(
  extra: AnnotationRow["extra"],
  extraKeypoints: ServerAnnotationEdit["extraKeypoints"],
): AnnotationRow["extra"] {
  if (extraKeypoints === undefined) return extra;
  const { [EXTRA_KEYPOINTS_KEY]: _, ...rest } = extra ?? {};
  if (extraKeypoints.length > 0) return { ...rest, [EXTRA_KEYPOINTS_KEY]: [...extraKeypoints] };
  return extra && { ...rest };
}

/** Returns all fields of an annotation in the form used by the history and the catch-up call. */
export function historyFields(row: AnnotationRow): { [key: string]: Json } {
  const { uuid: _uuid, revision: _revision, ...fields } = annotationOf(row);
  return { ...fields, id: row.id || null } as { [key: string]: Json };
}
