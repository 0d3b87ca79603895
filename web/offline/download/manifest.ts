import type { getManifest, ManifestImage, SceneCategory } from "../../../shared/api/offline";
import type { OutputOf } from "../../../shared/api/protocol/call";
import { testOf } from "../copy/chosen";
import type { CopyStore } from "../copy/copyStore";
import { countImages } from "../copy/counts";
import type { Choice, DatasetRow, ImageRow } from "../copy/records";
import { forgetContents, forgetImages } from "../copy/removal";

export type Manifest = OutputOf<typeof getManifest>;

/**
 * Brings the rows of a dataset up to date with its manifest, in one transaction: new and changed images, moved ones,
 * deleted ones with their data. `choice` chooses the dataset, or changes the choice; without it, a dataset that is not
 * or no longer chosen is not changed. Returns the dataset's row; undefined if the dataset was not changed.
 */
export function applyManifest(store: CopyStore, manifest: Manifest, choice?: Choice): Promise<DatasetRow | undefined> {
  const { id } = manifest.dataset;
  return store.changeAll(async () => {
    const before = await store.datasets.get(id);
    const chosen = choice ?? before?.choice;
    if (!chosen) return undefined;
    const row: DatasetRow = {
      ...{ problem: null, syncedAt: null, state: "waiting" as const, ...before, id, choice: chosen },
      ...(choice && { state: "waiting" as const, problem: null }),
      dataset: manifest.dataset,
      categories: newest(manifest.categories, before?.categories ?? []),
      preferences: manifest.preferences,
    };
    await store.datasets.put(row);
    await applyImages(store, row, manifest.images);
    await countImages(store, row);
    return row;
  });
}

/** Returns the manifest's categories. Keeps one that an acknowledged edit has changed since the manifest was made. */
function newest(categories: readonly SceneCategory[], before: readonly SceneCategory[]): SceneCategory[] {
  const known = new Map(before.map((category) => [category.id, category]));
  return categories.map((category) => {
    const old = known.get(category.id);
    return old && old.revision > category.revision ? { ...old, permissions: category.permissions } : category;
  });
}

async function applyImages(store: CopyStore, { id, choice }: DatasetRow, images: readonly ManifestImage[]) {
  const rows = await store.images.where("dataset_id").equals(id).toArray();
  const before = new Map(rows.map((row) => [row.id, row]));
  const changed = images.flatMap((image) => changedRow(image, id, before.get(image.id)) ?? []);
  await store.images.bulkPut(changed);
  await updateScenes(
    store,
    changed.filter(({ sceneRevision }) => sceneRevision !== null),
  );
  const listed = new Set(images.map((image) => image.id));
  await forgetImages(
    store,
    rows.flatMap((row) => (listed.has(row.id) ? [] : row.id)),
  );
  const isChosen = testOf(choice);
  const isKept = (row: ImageRow) => isChosen(row.id) || row.usedAt > 0 || (!row.file && row.sceneRevision === null);
  await forgetContents(
    store,
    rows.flatMap((row) => (isKept(row) || !listed.has(row.id) ? [] : row.id)),
  );
}

/** Returns the new row of an image; undefined if nothing has changed. Revisions only grow: see acknowledged.ts. */
function changedRow(image: ManifestImage, datasetId: number, before?: ImageRow): ImageRow | undefined {
  if (!before) return { ...image, dataset_id: datasetId, sceneRevision: null, file: null, usedAt: 0 };
  const isNewer = image.revision >= before.revision;
  const fields = isNewer ? image : { ...image, ...figuresOf(before), revision: before.revision };
  const after: ImageRow = { ...before, ...fields };
  const isSame = Object.entries(fields).every(([key, value]) => isEqual(value, before[key as keyof ImageRow]));
  return isSame ? undefined : after;
}

/** Fields that an image's edits change. */
const figuresOf = ({ annotated, num_annotations, category_ids }: ImageRow) => ({
  annotated,
  num_annotations,
  category_ids,
});

const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * Copies names, folders and stages into the scenes: names and folders change without a new revision, and scenes that
 * were stored before images had stages lack them.
 */
async function updateScenes(store: CopyStore, rows: readonly ImageRow[]): Promise<void> {
  for (const { id, path, file_name, done, stage, width, height } of rows)
    await store.scenes
      .where("image_id")
      .equals(id)
      .modify((scene) => {
        scene.image = { ...scene.image, path, file_name, done, stage, width, height };
      });
}
