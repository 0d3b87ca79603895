import { randomUUID } from "node:crypto";
import type { CategoryEdit, ImageEdit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import { toWire } from "../../../shared/rules/keypointDefinition";
import type { CategoryRow, ImageRow } from "../../db/schema";
import type { SavedCategory, SavedState } from "../bodies/savedState";
import { digestOf, LOOK_FIELDS, type Look, type SentScene } from "../sentScenes/sentScenes";
import { mergeMetadata } from "./mergeFields";

/**
 * Returns a saved state's changes beside annotations, as edits on the newest revision. A part equal to what
 * was sent, or to what is stored, is no edit; a part that is left out stays.
 */

/** `sent`: digests of the look that the page was sent. What somebody else changed since stays theirs. */
export function categoryEdit(
  saved: SavedCategory,
  row: CategoryRow,
  imageId: number,
  sent?: Look,
): CategoryEdit | undefined {
  // A save's colours were read in lower case.
  const live = { color: row.color.toLowerCase(), ...toWire(row.keypoints) };
  const given = LOOK_FIELDS.map((field) => [field, saved[field]] as const).filter(([, value]) => value != null);
  const isTheirs = (field: keyof Look) => sent !== undefined && digestOf(live[field]) !== sent[field];
  const isMine = (field: keyof Look, value: unknown) => sent === undefined || digestOf(value) !== sent[field];
  const changed = given.filter(
    ([field, value]) => isMine(field, value) && !isTheirs(field) && !same(value, live[field]),
  );
  if (changed.length === 0) return undefined;
  // Edges and colours are told by the places of the labels they came with.
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

/** Edits of the image itself, and the metadata that it has by them. */
export interface SavedImage {
  edits: ImageEdit[];
  metadata: ImageRow["metadata"];
}

/**
 * `annotated`: the categories that have annotations in the image. They are among the ids that are sent and received,
 * so that of the others alone it can be told whether they are ticked. Only label mode takes a tick away.
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
  // The lost value is a step of the history: to the page's metadata, and back to the other user's.
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
