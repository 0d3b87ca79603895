import type { ImageEdit } from "../../../../shared/edits/edit";
import { same } from "../../../../shared/edits/same";
import type { Json } from "../../../../shared/entities/scalars";
import { isDone, mayMoveTo, movedTo, ONLY_REVIEWERS, stageAfter } from "../../../../shared/rules/stages";
import type { Author } from "./author";
import { conflictsOf } from "./conflicts";
import { Conflict, Refusal } from "./plan";
import { addCategoryUse, requireUsable } from "./planCategoryUse";
import type { ImageState, Snapshot } from "./snapshot";

/**
 * Applies an edit to an image's ticked categories, metadata and stage, and returns the new values of changed fields.
 * Throws Refusal or Conflict, and then leaves the snapshot unchanged.
 */
export function planImage(edit: ImageEdit, image: ImageState, snapshot: Snapshot, author: Author) {
  const labels = edit.after.labels && sortedUnique(edit.after.labels);
  const stage = stageAfter(edit.after, image, image.isReviewed);
  const after = { ...edit.after, ...(labels && { labels }), ...(edit.after.stage && { stage }) };
  const wanted: ImageEdit = { ...edit, after };
  const before = edit.before.labels && { labels: sortedUnique(edit.before.labels) };
  const live = {
    ...{ labels: sortedUnique(image.labels), metadata: image.metadata },
    ...{ done: image.done, stage: image.stage },
  };
  const conflicts = conflictsOf({ ...wanted, before: { ...edit.before, ...before } }, live, image.later, author.client);
  if (conflicts.length > 0) throw new Conflict(conflicts, { ...live, revision: image.revision }, image.revision);
  if (!mayMoveTo(stage, image, image)) throw new Refusal(ONLY_REVIEWERS);

  const fields: { [key: string]: Json } = {};
  if (labels && !same(labels, live.labels)) {
    const added = labels.filter((label) => !image.labels.includes(label));
    for (const label of added) requireUsable(label, image, snapshot);
    for (const label of added) addCategoryUse(label, image, snapshot);
    image.labels = fields.labels = labels;
    image.changed.labels = true;
  }
  if (edit.after.metadata && !same(edit.after.metadata, image.metadata)) {
    image.metadata = edit.after.metadata as ImageState["metadata"];
    fields.metadata = image.metadata;
    image.changed.metadata = true;
  }
  if (stage !== image.stage) {
    const { user } = author;
    const moved = movedTo(stage, image, {
      ...{ user: user.username, at: new Date().toISOString(), mayReview: image.mayReview },
    });
    Object.assign(image, moved, { done: isDone(stage) });
    Object.assign(fields, moved, { done: isDone(stage) });
    image.changed.stage = true;
  }
  return Object.keys(fields).length > 0 ? fields : undefined;
}

const sortedUnique = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);
