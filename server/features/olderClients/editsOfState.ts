import { randomUUID } from "node:crypto";
import type { CategoryEdit, ImageEdit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import { toWire } from "../../../shared/rules/keypointDefinition";
import type { CategoryRow, ImageRow } from "../../db/schema";
import type { SavedCategory, SavedState } from "../bodies/savedState";
import { digestOf, LOOK_FIELDS, type Look, type SentScene } from "../sentScenes/sentScenes";
import { mergeMetadata } from "./mergeFields";

/** Edits of a saved state other than those of its annotations. */

/**
 * Returns a category's changes in a save as an edit on its newest revision; undefined if no field differs from the sent
 * and the stored value. Missing fields stay as they are. `sent`: digests of the fields that the page received. Fields
 * that another user changed since keep that user's value.
 */
export function categoryEdit(
  saved: SavedCategory,
  row: CategoryRow,
  imageId: number,
  sent?: Look,
): CategoryEdit | undefined {
  // Colours in saves were parsed to lower case.
  const live = { color: row.color.toLowerCase(), ...toWire(row.keypoints) };
  const given = LOOK_FIELDS.map((field) => [field, saved[field]] as const).filter(([, value]) => value != null);
  const isTheirs = (field: keyof Look) => sent !== undefined && digestOf(live[field]) !== sent[field];
  const isMine = (field: keyof Look, value: unknown) => sent === undefined || digestOf(value) !== sent[field];
  const changed = given.filter(
    ([field, value]) => isMine(field, value) && !isTheirs(field) && !same(value, live[field]),
  );
  if (changed.length === 0) return undefined;
  // Edges and colours refer to labels by index, so they must be sent together with the labels.
  const keypoints = changed.some(([field]) => field !== "color") ? given.filter(([field]) => field !== "color") : [];
  return {
    uuid: randomUUID(),
    subject: "category",
    action: "modify",
    target: row.id,
    image_id: imageId,
    base: row.revision,
    before: live,
    after: Object.fromEntries([...changed, ...keypoints]),
  };
}

/** Edits of the image itself, and its metadata after them. */
export interface SavedImage {
  edits: ImageEdit[];
  metadata: ImageRow["metadata"];
}

/**
 * Returns the image's changes in a save as edits on its newest revision. `annotated`: categories with annotations in
 * the image. The ids that the page receives and sends include these, so ticks can be recognized only for other
 * categories. Only label mode removes ticks.
 */
export function imageEdits(
  state: SavedState,
  image: ImageRow,
  { annotated, usable }: { annotated: ReadonlySet<number>; usable: ReadonlySet<number> },
  scene?: SentScene,
): SavedImage {
  const { image: saved } = state;
  const sent = scene?.sent.metadata ?? image.metadata;
  const { got: before = sent, stored: base = sent } = scene?.known.image?.metadata ?? {};
  const merged = saved.metadata
    ? mergeMetadata(saved.metadata, { before, base, stored: image.metadata })
    : { value: image.metadata, lost: false };
  const labels = labelsAfter(state, image, annotated, usable, scene);
  const isSameLabels = same(labels, inOrder(image.labels));
  const isSameMetadata = same(merged.value, image.metadata);
  const edits = [];
  if (!isSameLabels || !isSameMetadata)
    edits.push(
      modification(image, { ...(!isSameLabels && { labels }), ...(!isSameMetadata && { metadata: merged.value }) }),
    );
  // Record the lost value in the history: one edit to the page's metadata and one back to the other user's.
  if (merged.lost && saved.metadata)
    edits.push(modification(image, { metadata: saved.metadata }), modification(image, { metadata: merged.value }));
  return { edits, metadata: merged.value };
}

function labelsAfter(
  { mode, image: saved }: SavedState,
  image: ImageRow,
  annotated: ReadonlySet<number>,
  usable: ReadonlySet<number>,
  scene?: SentScene,
): number[] {
  if (!saved.category_ids) return inOrder(image.labels);
  const received = new Set(saved.category_ids);
  const before = scene && new Set(scene.known.image?.category_ids ?? scene.sent.category_ids);
  const ticked = [...received].filter((id) => !annotated.has(id) && usable.has(id) && !before?.has(id));
  const isUnticked = (id: number) =>
    mode === "label" && (before ? before.has(id) && !received.has(id) : !(annotated.has(id) && received.has(id)));
  return inOrder([...new Set([...image.labels.filter((id) => !isUnticked(id)), ...ticked])]);
}

const inOrder = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b);

function modification(image: ImageRow, after: ImageEdit["after"]): ImageEdit {
  const before = { labels: image.labels, metadata: image.metadata };
  const about = { uuid: randomUUID(), subject: "image" as const, image_id: image.id };
  return { ...about, action: "modify", base: image.revision, before, after };
}
