import type { Moment } from "../../../shared/api/history";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { creation, deletion, fieldsOfAnnotation, modification } from "../../../shared/edits/make";
import { uuid } from "../../io/uuid";
import type { AnnotatorDocument } from "../document/document";

/**
 * Returns the edits that put annotations back to a moment: all annotations of the image, or only `only`. A deleted
 * annotation keeps its uuid. Annotations whose state at the moment is unknown stay as they are.
 */
export function editsBackTo(document: AnnotatorDocument, moment: Moment, only?: string): AnnotationEdit[] {
  const then = new Map(moment.annotations.map((annotation) => [annotation.uuid, annotation]));
  const revisions = new Map(moment.deleted.map((each) => [each.uuid, each.revision]));
  const { image, annotations } = document.state;
  const unknown = new Set(moment.unknown);
  const isMeant = (target: string) => (only === undefined || target === only) && !unknown.has(target);
  const removed = [...annotations.values()].filter((now) => isMeant(now.uuid) && !then.has(now.uuid));
  const edits = removed.map((now): AnnotationEdit | undefined => deletion(uuid(), now));
  for (const before of then.values()) {
    if (!isMeant(before.uuid)) continue;
    const now = document.annotation(before.uuid);
    if (now) {
      edits.push(modification(uuid(), now, fieldsOfAnnotation(before)));
      continue;
    }
    document.rememberDeleted({ ...before, revision: revisions.get(before.uuid) ?? before.revision });
    const edit = creation(uuid(), image.id, before.uuid, fieldsOfAnnotation(before));
    edits.push({ ...edit, base: document.baseOf(edit) });
  }
  return edits.filter((edit) => edit !== undefined);
}
