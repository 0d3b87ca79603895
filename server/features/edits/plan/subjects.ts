import type { Subject } from "../../../../shared/edits/fields";
import type { EditOf } from "../../../../shared/edits/subject";
import { annotationSubject } from "./annotationSubject";
import { categorySubject } from "./categorySubject";
import { commentSubject } from "./commentSubject";
import { imageSubject } from "./imageSubject";
import type { PlannedSubject } from "./subject";

const SUBJECTS: { readonly [S in Subject]: PlannedSubject<S> } = {
  annotation: annotationSubject,
  category: categorySubject,
  comment: commentSubject,
  image: imageSubject,
};

/** Returns the kind of subject that an edit changes. */
export function plannedSubject<S extends Subject>(edit: EditOf<S>): PlannedSubject<S> {
  return SUBJECTS[edit.subject];
}
