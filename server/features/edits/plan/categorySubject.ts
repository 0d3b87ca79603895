import type { CategoryEdit } from "../../../../shared/edits/edit";
import { allFields } from "../../../../shared/edits/fields";
import { same } from "../../../../shared/edits/same";
import type { Json } from "../../../../shared/entities/scalars";
import { KeypointError, toStored, toWire } from "../../../../shared/rules/keypointDefinition";
import { mayChangeCategory } from "../../../base/permissions";
import type { CategoryRow } from "../../../db/schema";
import type { Author } from "./author";
import { conflictsOf } from "./conflicts";
import { absentCategory, Conflict, Refusal } from "./plan";
import type { CategoryState, Snapshot } from "./snapshot";
import type { PlannedSubject } from "./subject";

export const categorySubject: PlannedSubject<"category"> = {
  categoriesFor: ({ target }) => ({ read: [target], locked: [target] }),

  laterOf: ({ target }, { categories }) => categories.get(target)?.later,

  plan(edit, _image, snapshot, author) {
    const { state, fields } = planCategory(edit, snapshot, author);
    const { revision } = state.row;
    return { action: "modify", fields, raise: () => ++state.row.revision, revision, categoryId: edit.target };
  },
};

/**
 * Applies an edit to a category's colour, keypoints and attributes, and returns the new values of changed fields.
 * Throws Refusal or Conflict, and then leaves the snapshot unchanged.
 */
function planCategory(
  edit: CategoryEdit,
  snapshot: Snapshot,
  author: Author,
): { state: CategoryState; fields: { [key: string]: Json } | undefined } {
  const state = snapshot.categories.get(edit.target);
  const mayChange = state !== undefined && mayChangeCategory(author.user, state.row);
  // A deleted category is not visible to anyone, but users who may change it get a conflict instead of a refusal.
  if (!state || !(state.seen || (mayChange && state.row.deleted_at))) throw absentCategory();
  if (!mayChange) throw new Refusal("You may not change this category.");
  if (state.row.deleted_at) throw new Conflict(allFields("category"), null, state.row.revision);
  const live = lookOf(state.row);
  const conflicts = conflictsOf(edit, live, state.later, author.client);
  const { revision } = state.row;
  if (conflicts.length > 0) throw new Conflict(conflicts, { ...live, revision }, revision);

  const { color, keypoint_labels: labels, keypoint_edges: edges, keypoint_colors: colors } = edit.after;
  const { keypoint_label_ids: ids, attributes } = edit.after;
  const keypoints = labels || edges || colors ? stored(state.row, { labels, edges, colors, ids }) : state.row.keypoints;
  const next = lookOf({
    ...state.row,
    color: color ?? state.row.color,
    keypoints,
    attributes: attributes ?? state.row.attributes,
  });
  const changed = Object.entries(next).filter(([key, value]) => !same(value, live[key as keyof typeof live]));
  if (changed.length === 0) return { state, fields: undefined };
  state.row.color = next.color;
  state.row.keypoints = keypoints;
  state.row.attributes = next.attributes;
  state.changed.row = true;
  return { state, fields: Object.fromEntries(changed) };
}

function stored(row: CategoryRow, input: Parameters<typeof toStored>[1]) {
  try {
    return toStored(row.keypoints, input);
  } catch (error) {
    if (error instanceof KeypointError) throw new Refusal(error.message);
    throw error;
  }
}

const lookOf = ({ color, keypoints, attributes }: Pick<CategoryRow, "color" | "keypoints" | "attributes">) => ({
  color,
  ...toWire(keypoints),
  attributes,
});
