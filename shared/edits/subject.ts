import type { Edit } from "./edit";

/** Returns a key for the subject of an edit: an annotation, a category or an image. */
export const subjectOf = (edit: Edit): string =>
  `${edit.subject} ${edit.subject === "image" ? edit.image_id : edit.target}`;
