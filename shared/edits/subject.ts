import type { Edit } from "./edit";

/** Names what an edit changes: an annotation, a category or an image. */
export const subjectOf = (edit: Edit): string =>
  `${edit.subject} ${edit.subject === "image" ? edit.image_id : edit.target}`;
