import type { CopiedScene } from "../../../shared/api/offline";
import { applyEdit } from "../../../shared/edits/apply";
import type { AnnotationEdit, CategoryEdit, EditAnswer, ImageEdit } from "../../../shared/edits/edit";
import { measureEdited } from "../../../shared/edits/measureEdited";
import type { Answered } from "../../io/journal/storedEdits";
import { changedCategory } from "../copy/changedCategory";
import type { CopyStore } from "../copy/copyStore";
import type { ImageRow, SceneRow } from "../copy/records";

/**
 * Applies stored edits to the scenes of the copy, in one transaction. A row's `revision` becomes at least that of the
 * image after the edit, so that an older scene or manifest under way does not replace it, and the next update requests
 * the scene, with the changes by others that the copy lacks.
 */
export function keepAcknowledged(store: CopyStore, acknowledged: readonly Answered[], username: string): Promise<void> {
  const stored = acknowledged.filter(({ answer: { status } }) => status === "applied" || status === "seen");
  if (stored.length === 0) return Promise.resolve();
  return store.changeAll(async () => {
    for (const { edit, answer } of stored) {
      if (edit.subject === "category") await changeCategory(store, edit, answer);
      await changeImage(store, { edit, answer }, username);
    }
  });
}

async function changeImage(store: CopyStore, { edit, answer }: Answered, username: string): Promise<void> {
  const row = await store.images.get(edit.image_id);
  const scene = row && (await store.scenes.get(row.id));
  if (!row || !scene) return;
  const after = sceneAfter(scene, { edit, answer }, username);
  await store.scenes.put(after);
  await store.images.put(rowAfter(row, after, answer));
}

function rowAfter(row: ImageRow, { image }: SceneRow, { image_revision: to }: EditAnswer): ImageRow {
  const { annotated, num_annotations, category_ids } = image;
  return { ...row, annotated, num_annotations, category_ids, revision: Math.max(row.revision, to ?? 0) };
}

/** Returns a scene after an edit that the server has stored. */
function sceneAfter<S extends CopiedScene>(scene: S, { edit, answer }: Answered, username: string): S {
  const isNext = answer.status === "applied" && answer.image_revision === scene.image.revision + 1;
  const revised = isNext ? { ...scene, image: { ...scene.image, revision: scene.image.revision + 1 } } : scene;
  if (edit.subject === "annotation") return withFigures(withAnnotation(revised, edit, answer, username));
  return edit.subject === "image" ? withFigures(withImage(revised, edit)) : revised;
}

function withAnnotation<S extends CopiedScene>(
  scene: S,
  edit: AnnotationEdit,
  { id, revision, status }: EditAnswer,
  username: string,
): S {
  const before = scene.annotations.find(({ uuid }) => uuid === edit.target);
  if (before && revision != null && before.revision >= revision) return scene;
  const applied = applyEdit(before, edit);
  if (!applied) return { ...scene, annotations: scene.annotations.filter((annotation) => annotation !== before) };
  // A gap means that the copy lacks a change by another user, so that later edits must be based on the older revision.
  const isNext = status === "applied" && (!before || revision === before.revision + 1);
  const after = {
    ...measureEdited(before, applied, scene.image),
    id: id ?? applied.id,
    creator: before ? applied.creator : username,
    revision: isNext && revision != null ? revision : applied.revision,
  };
  const annotations = before
    ? scene.annotations.map((annotation) => (annotation === before ? after : annotation))
    : [...scene.annotations, after];
  return { ...scene, annotations };
}

function withImage<S extends CopiedScene>(scene: S, { after: { labels, metadata } }: ImageEdit): S {
  return { ...scene, image: { ...scene.image, ...(labels && { labels }), ...(metadata && { metadata }) } };
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
