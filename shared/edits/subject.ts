import type { AnnotationEdit, CategoryEdit, CommentEdit, Edit, ImageEdit } from "./edit";

interface EditTypes {
  annotation: AnnotationEdit;
  image: ImageEdit;
  category: CategoryEdit;
  comment: CommentEdit;
}

/** An edit of the subject `S`; of any subject by default. The type allows a lookup in a table by the edit's subject. */
export type EditOf<S extends Edit["subject"] = Edit["subject"]> = {
  [Each in S]: EditTypes[Each] & { subject: Each };
}[S];

/** Returns the id of an edit's subject in the form of `Change.subject_id`. */
export const subjectIdOf = (edit: Edit): string => String("target" in edit ? edit.target : edit.image_id);

/** Returns a key for the subject of an edit: an annotation, a category, a comment or an image. */
export const subjectOf = (edit: Edit): string => `${edit.subject} ${subjectIdOf(edit)}`;
