import type { ImageSummary } from "../entities/image";

/** Returns an image in the form that lists show, without users who have it open. Leaves out other fields of the row. */
export const summaryOf = (row: Omit<ImageSummary, "annotating">): ImageSummary => ({
  id: row.id,
  file_name: row.file_name,
  path: row.path,
  width: row.width,
  height: row.height,
  annotating: [],
  annotated: row.annotated,
  num_annotations: row.num_annotations,
  done: row.done,
  stage: row.stage,
  ...(row.open_threads ? { open_threads: row.open_threads } : {}),
  ...(row.assignee && { assignee: row.assignee }),
});
