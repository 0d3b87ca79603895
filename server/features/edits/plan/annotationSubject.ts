import type { Json } from "../../../../shared/entities/scalars";
import type { HistoryEntry } from "./plan";
import { historyFields, planAnnotation } from "./planAnnotation";
import type { AnnotationState } from "./snapshot";
import type { PlannedSubject } from "./subject";

export const annotationSubject: PlannedSubject<"annotation"> = {
  /**
   * Includes the annotation's category if its keypoints or category change, and the category it moves to, which is
   * locked.
   */
  categoriesFor({ action, target, after }, { annotations }) {
    const stored = annotations.get(target)?.row;
    const wanted = after.category_id;
    const next = wanted !== undefined && wanted !== stored?.category_id ? [wanted] : [];
    const current = stored && (after.keypoints || wanted !== undefined) ? [stored.category_id] : [];
    return { read: [...next, ...current], locked: action === "modify" ? next : [] };
  },

  laterOf: ({ target }, { annotations }) => annotations.get(target)?.later,

  plan(edit, image, snapshot, author) {
    const unlogged = snapshot.annotations.get(edit.target);
    const before = unlogged && !unlogged.logged ? historyFields(unlogged.row) : undefined;
    const { state, action, fields, seen } = planAnnotation(edit, image, snapshot, author);
    const { revision, category_id } = state.row;
    const baseline = before && fields ? logBaseline(state, before) : undefined;
    const raise = () => ++state.row.revision;
    return { action, fields, raise, revision, categoryId: category_id, seen, annotation: state, baseline };
  },
};

/**
 * Returns the history entry of a bulk-written annotation and marks it as logged, so that the values before its first
 * edit are known.
 */
function logBaseline(state: AnnotationState, fields: { [key: string]: Json }): HistoryEntry {
  state.logged = true;
  const { row } = state;
  return {
    image_id: row.image_id,
    image_revision: null,
    subject: "annotation",
    subject_id: row.uuid,
    revision: row.revision,
    action: "create",
    fields,
    edit: null,
  };
}
