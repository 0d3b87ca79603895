import { attributesHold } from "../../../shared/edits/attributes";
import type { AnnotationEdit, Edit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import { subjectOf } from "../../../shared/edits/subject";
import type { AnnotatorDocument } from "./document";

/**
 * Returns true if every field still has the value of its last edit, so that undoing the edits overwrites no other
 * user's change. Later edits of a subject hide earlier ones.
 */
export function stillHolds(document: Pick<AnnotatorDocument, "find">, edits: readonly Edit[]): boolean {
  const checked = new Set<string>();
  return [...edits].reverse().every((edit) => {
    const subject = subjectOf(edit);
    if (checked.has(subject)) return true;
    if (edit.action === "delete") {
      checked.add(subject);
      return document.find(edit) === null;
    }
    const current = document.find(edit);
    if (!current) return false;
    return Object.entries(edit.after).every(([field, value]) => {
      const key = `${subject} ${field}`;
      if (checked.has(key)) return true;
      checked.add(key);
      if (field === "attributes") return attributesHold(edit as AnnotationEdit, Reflect.get(current, field) ?? {});
      return same(Reflect.get(current, field), value);
    });
  });
}
