import { type CopiedScene, getScenes, MAX_SCENES } from "../../../shared/api/offline";
import { isCurrent, testOf } from "../copy/chosen";
import type { CopyStore } from "../copy/copyStore";
import { countImages, putImages } from "../copy/counts";
import { packScene } from "../copy/packedScene";
import type { DatasetRow, ImageRow } from "../copy/records";
import { forgetImages } from "../copy/removal";
import type { DownloadPorts } from "./ports";

/** Maximum number of annotations in a batch of several images, so that responses stay small. */
const MAX_ANNOTATIONS = 4_000;

/**
 * Requests the scenes of chosen images that are missing or older than their row. Requests the first scene of an image
 * once more if an edit has overtaken it, because an image without a scene cannot be opened offline. Rejects as
 * `request` does.
 */
export async function downloadScenes(
  store: CopyStore,
  { request }: Pick<DownloadPorts, "request">,
  { id, choice }: DatasetRow,
  signal: AbortSignal,
): Promise<void> {
  const isChosen = testOf(choice);
  const requestBatches = async (rows: readonly ImageRow[]): Promise<ImageRow[]> => {
    const overtaken: ImageRow[] = [];
    for (const ids of batchesOf(rows)) {
      const { scenes, missing } = await request(getScenes, { params: { id }, body: { ids } }, { signal });
      signal.throwIfAborted();
      overtaken.push(...(await storeScenes(store, id, scenes, missing)));
    }
    return overtaken.filter(({ sceneRevision }) => sceneRevision === null);
  };
  const rows = await store.images
    .where("dataset_id")
    .equals(id)
    .filter((row) => isChosen(row.id) && !isCurrent(row))
    .toArray();
  await requestBatches(await requestBatches(rows));
}

function batchesOf(rows: readonly ImageRow[]): number[][] {
  const batches: number[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const { id, num_annotations } of rows) {
    const last = batches.at(-1);
    size += num_annotations;
    if (last && last.length < MAX_SCENES && size <= MAX_ANNOTATIONS) last.push(id);
    else {
      batches.push([id]);
      size = num_annotations;
    }
  }
  return batches;
}

/**
 * Stores scenes of a dataset and removes missing images, in one transaction. Skips scenes that are older than an edit
 * that was acknowledged since they were requested, and images that have left the copy. Returns the rows of the older
 * scenes.
 */
export function storeScenes(
  store: CopyStore,
  datasetId: number,
  scenes: readonly CopiedScene[],
  missing: readonly number[],
): Promise<ImageRow[]> {
  return store.changeAll(async () => {
    const dataset = await store.datasets.get(datasetId);
    if (!dataset) return [];
    const rows = await store.images.bulkGet(scenes.map(({ image }) => image.id));
    const pairs = scenes.flatMap((scene, i) => {
      const row = rows[i];
      return row ? [{ row, scene, isOlder: scene.image.revision < row.revision }] : [];
    });
    await putScenes(
      store,
      dataset,
      pairs.filter(({ isOlder }) => !isOlder),
    );
    if (missing.length > 0) {
      await forgetImages(store, missing);
      await countImages(store, dataset);
    }
    return pairs.flatMap(({ row, isOlder }) => (isOlder ? [row] : []));
  });
}

/** Stores scenes with the rows of their images. Must run inside `store.changeAll`. */
export async function putScenes(
  store: CopyStore,
  dataset: DatasetRow,
  pairs: readonly { row: ImageRow; scene: CopiedScene }[],
): Promise<void> {
  await store.scenes.bulkPut(pairs.map(({ row, scene }) => packScene({ image_id: row.id, ...scene })));
  await putImages(
    store,
    dataset,
    pairs.map(({ row, scene: { image } }) => {
      const { revision, annotated, num_annotations, category_ids, done, stage } = image;
      const figures = { revision, annotated, num_annotations, category_ids, done, stage };
      return { ...row, ...figures, sceneRevision: revision };
    }),
  );
}
