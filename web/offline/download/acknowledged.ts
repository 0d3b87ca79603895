import type { CopiedScene } from "../../../shared/api/offline";
import { applyEdit } from "../../../shared/edits/apply";
import { applyCommentEdit } from "../../../shared/edits/comments";
import type { AnnotationEdit, CategoryEdit, EditAnswer, ImageEdit } from "../../../shared/edits/edit";
import { measureEdited } from "../../../shared/edits/measureEdited";
import { withWantedStage } from "../../../shared/rules/stages";
import type { Answered } from "../../io/journal/storedEdits";
import { nextTask } from "../../io/nextTask";
import { changedCategory } from "../copy/changedCategory";
import type { CopyStore } from "../copy/copyStore";
import { isSameStored, type PackedScene, packScene, type StoredScene, unpackScene } from "../copy/packedScene";
import type { ImageRow } from "../copy/records";

/**
 * Applies stored edits to the scenes of the copy, in one transaction. A row's `revision` becomes at least that of the
 * image after the edit, so that an older scene or manifest that is just arriving does not replace the row, and the next
 * update requests the scene with the changes by other users that the copy lacks.
 */
export async function keepAcknowledged(
  store: CopyStore,
  acknowledged: readonly Answered[],
  username: string,
): Promise<void> {
  const stored = acknowledged.filter(({ answer: { status } }) => status === "applied" || status === "seen");
  if (stored.length === 0) return;
  const images = byImage(stored);
  const prepared = await prepareScenes(store, images, username);
  await store.changeAll(async () => {
    for (const { edit, answer } of stored) if (edit.subject === "category") await changeCategory(store, edit, answer);
    for (const [imageId, ofImage] of images)
      await changeImage(store, imageId, ofImage, username, prepared.get(imageId));
  });
}

/** Groups edits by image, so that a scene of thousands of annotations is read and written once for all of them. */
function byImage(stored: readonly Answered[]): Map<number, Answered[]> {
  const images = new Map<number, Answered[]>();
  for (const each of stored) {
    const known = images.get(each.edit.image_id);
    if (known) known.push(each);
    else images.set(each.edit.image_id, [each]);
  }
  return images;
}

/** A stored scene before and after edits. */
interface Prepared {
  stored: StoredScene;
  after: PackedScene;
}

/** Number of edits of an image from which they are applied between frames, and number that are applied at a time. */
const MANY = 100;

/** Returns the scenes that many edits change, by image id. Frames may be painted meanwhile, unlike in a transaction. */
async function prepareScenes(
  store: CopyStore,
  images: ReadonlyMap<number, readonly Answered[]>,
  username: string,
): Promise<Map<number, Prepared>> {
  const prepared = new Map<number, Prepared>();
  for (const [imageId, stored] of images) {
    const scene = stored.length < MANY ? undefined : await store.storedScene(imageId);
    if (!scene) continue;
    const steps = applyInSteps(unpackScene(scene), inServerOrder(stored), username);
    let step = steps.next();
    for (; !step.done; step = steps.next()) await nextTask();
    await nextTask();
    prepared.set(imageId, { stored: scene, after: packScene(step.value) });
  }
  return prepared;
}

async function changeImage(
  store: CopyStore,
  imageId: number,
  stored: readonly Answered[],
  username: string,
  prepared: Prepared | undefined,
) {
  const row = await store.images.get(imageId);
  if (!row) return;
  const scene = await store.storedScene(imageId);
  // The row is raised also without a scene: one that was requested before these edits may be arriving.
  if (!scene) return void (await store.images.put(rowAfterAll(row, row, stored)));
  // A download or another tab may have changed the scene meanwhile.
  const isPrepared = prepared && isSameStored(prepared.stored, scene);
  const after = isPrepared
    ? prepared.after
    : packScene(sceneAfter(unpackScene(scene), inServerOrder(stored), username));
  await store.scenes.put(after);
  await store.images.put(rowAfterAll(row, after.image, stored));
}

/**
 * Returns edits in the order in which the server has stored them: batches of different annotations may overtake each
 * other.
 */
const inServerOrder = (stored: readonly Answered[]): Answered[] =>
  stored.toSorted((a, b) => (a.answer.image_revision ?? 0) - (b.answer.image_revision ?? 0));

/** Figures of an image that follow from its annotations and labels. */
type Figures = Pick<ImageRow, "annotated" | "num_annotations" | "category_ids">;

const rowAfterAll = (row: ImageRow, figures: Figures, stored: readonly Answered[]): ImageRow =>
  stored.reduce((now, each) => rowAfter(now, figures, each), row);

function rowAfter(row: ImageRow, figures: Figures, { edit, answer: { image_revision: to } }: Answered): ImageRow {
  const { annotated, num_annotations, category_ids } = figures;
  // The row may have a later stage than the scene, because a manifest has brought it.
  const { done, stage } = edit.subject === "image" ? withWantedStage(row, edit.after) : row;
  const revision = Math.max(row.revision, to ?? 0);
  return { ...row, annotated, num_annotations, category_ids, done, stage, revision };
}

/** Returns a scene after edits that the server has stored. */
function sceneAfter<S extends CopiedScene>(scene: S, stored: readonly Answered[], username: string): S {
  const steps = applyInSteps(scene, stored, username);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Applies stored edits to a scene, MANY in each step, and returns the scene after them. */
function* applyInSteps<S extends CopiedScene>(
  scene: S,
  stored: readonly Answered[],
  username: string,
): Generator<undefined, S> {
  const annotations = new Map(scene.annotations.map((annotation) => [annotation.uuid, annotation]));
  const comments = new Map(scene.comments?.map((comment) => [comment.uuid, comment]));
  let { image } = scene;
  const deleted = [...(scene.deleted ?? [])];
  for (const [i, { edit, answer }] of stored.entries()) {
    if (i % MANY === MANY - 1) yield;
    const isNext = answer.status === "applied" && answer.image_revision === image.revision + 1;
    if (isNext) image = { ...image, revision: image.revision + 1 };
    if (edit.subject === "image") image = withFields(image, edit);
    if (edit.subject === "comment") {
      const made = { user: username, at: new Date().toISOString() };
      const before = comments.get(edit.target);
      const isKnown = before && before.revision >= (answer.revision ?? 0);
      const after = isKnown ? undefined : applyCommentEdit(before, edit, made);
      if (after) comments.set(edit.target, { ...after, revision: Math.max(after.revision, answer.revision ?? 0) });
    }
    if (edit.subject !== "annotation") continue;
    const before = annotations.get(edit.target);
    const after = annotationAfter(before, edit, answer, { username, image });
    if (after) annotations.set(edit.target, after);
    else annotations.delete(edit.target);
    // The annotation keeps its number.
    if (!after && before?.id != null) deleted.push([before.id, 1]);
  }
  const written = {
    ...(comments.size > 0 && { comments: [...comments.values()] }),
    ...(deleted.length > 0 && { deleted }),
  };
  return withFigures({ ...scene, image, annotations: [...annotations.values()], ...written });
}

type CopiedAnnotation = CopiedScene["annotations"][number];

function annotationAfter(
  before: CopiedAnnotation | undefined,
  edit: AnnotationEdit,
  { id, revision, status }: EditAnswer,
  { username, image }: { username: string; image: CopiedScene["image"] },
): CopiedAnnotation | undefined {
  if (before && revision != null && before.revision >= revision) return before;
  const applied = applyEdit(before, edit);
  if (!applied) return undefined;
  // A gap means that the copy lacks a change by another user, so later edits must be based on the older revision.
  const isNext = status === "applied" && (!before || revision === before.revision + 1);
  return {
    ...measureEdited(before, applied, image),
    id: id ?? applied.id,
    creator: before ? applied.creator : username,
    revision: isNext && revision != null ? revision : applied.revision,
  };
}

function withFields<I extends CopiedScene["image"]>(image: I, { after }: ImageEdit): I {
  const { labels, metadata, ...wanted } = after;
  return withWantedStage({ ...image, ...(labels && { labels }), ...(metadata && { metadata }) }, wanted);
}

/** Returns the scene with the figures that follow from its annotations and labels. */
function withFigures<S extends CopiedScene>(scene: S): S {
  const { annotations, image } = scene;
  const ids = new Set([...image.labels, ...annotations.map(({ category_id }) => category_id)]);
  const category_ids = [...ids].sort((a, b) => a - b);
  const count = annotations.length;
  return { ...scene, image: { ...image, category_ids, num_annotations: count, annotated: count > 0 } };
}

async function changeCategory(store: CopyStore, { target, after }: CategoryEdit, { revision }: EditAnswer) {
  await store.datasets.toCollection().modify((row) => {
    row.categories = row.categories.map((category) => {
      if (category.id !== target || (revision != null && category.revision >= revision)) return category;
      const isNext = revision === category.revision + 1;
      return { ...changedCategory(category, after), revision: isNext ? revision : category.revision };
    });
  });
}
