import type { CopyStore } from "./copyStore";

/** Removes images with their scenes and files. Must run inside `store.changeAll`. */
export async function forgetImages(store: CopyStore, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await store.images.bulkDelete([...ids]);
  await forgetData(store, ids);
}

/** Removes scenes and files of images that stay in the list. Must run inside `store.changeAll`. */
export async function forgetContents(store: CopyStore, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await store.images.bulkGet([...ids]);
  await store.images.bulkPut(
    rows.flatMap((row) => (row ? { ...row, sceneRevision: null, file: null, usedAt: 0 } : [])),
  );
  await forgetData(store, ids);
}

async function forgetData(store: CopyStore, ids: readonly number[]): Promise<void> {
  for (const table of [store.scenes, store.files, store.thumbnails, store.parts]) await table.bulkDelete([...ids]);
}

/** Removes a dataset with everything that belongs to it. Must run inside `store.changeAll`. */
export async function forgetDataset(store: CopyStore, datasetId: number): Promise<void> {
  const ids = await store.images.where("dataset_id").equals(datasetId).primaryKeys();
  await forgetImages(store, ids);
  await store.datasets.delete(datasetId);
  await store.progress.delete(datasetId);
}
