import type { ImageEdit } from "../../../../shared/edits/edit";
import { same } from "../../../../shared/edits/same";
import type { Json } from "../../../../shared/entities/scalars";
import type { Author } from "./author";
import { conflictsOf } from "./conflicts";
import { Conflict } from "./plan";
import { addCategoryUse, requireUsable } from "./planCategoryUse";
import type { ImageState, Snapshot } from "./snapshot";

/**
 * Applies an edit to an image's ticked categories, metadata and mark, and returns the new values of changed fields. Throws
 * Refusal or Conflict, and then leaves the snapshot unchanged.
 */
export function planImage(edit: ImageEdit, image: ImageState, snapshot: Snapshot, author: Author) {
  const labels = edit.after.labels && sortedUnique(edit.after.labels);
  const wanted: ImageEdit = { ...edit, after: { ...edit.after, ...(labels && { labels }) } };
  const before = edit.before.labels && { labels: sortedUnique(edit.before.labels) };
  const live = { labels: sortedUnique(image.labels), metadata: image.metadata, done: image.done };
  const conflicts = conflictsOf({ ...wanted, before: { ...edit.before, ...before } }, live, image.later, author.client);
  if (conflicts.length > 0) throw new Conflict(conflicts, { ...live, revision: image.revision }, image.revision);

  const fields: { [key: string]: Json } = {};
  if (labels && !same(labels, live.labels)) {
    const added = labels.filter((label) => !image.labels.includes(label));
    for (const label of added) requireUsable(label, snapshot);
    for (const label of added) addCategoryUse(label, image, snapshot);
    image.labels = fields.labels = labels;
    image.changed.labels = true;
  }
  if (edit.after.metadata && !same(edit.after.metadata, image.metadata)) {
    image.metadata = edit.after.metadata as ImageState["metadata"];
    fields.metadata = image.metadata;
    image.changed.metadata = true;
  }
  const { done } = edit.after;
  if (done !== undefined && done !== image.done) {
    image.done = fields.done = done;
    image.changed.done = true;
  }
  return Object.keys(fields).length > 0 ? fields : undefined;
}

const sortedUnique = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);
