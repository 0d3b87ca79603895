import { expectedBytes, isHere, testOf } from "./chosen";
import type { CopyStore } from "./copyStore";
import type { DatasetRow, FileForm, ImageRow, ProgressRow } from "./records";

type Counts = Pick<ProgressRow, "images" | "bytes">;

/** Counts the chosen images of a dataset again. Must run inside `store.changeAll`. */
export async function countImages(store: CopyStore, { id, dataset, choice }: DatasetRow): Promise<void> {
  const counts = { images: { total: 0, here: 0 }, bytes: { total: 0, here: 0 } };
  const isChosen = testOf(choice);
  await store.images
    .where("dataset_id")
    .equals(id)
    .each((row) => {
      if (choice && isChosen(row.id)) add(counts, row, choice.form, 1);
    });
  await store.progress.put({ id, name: dataset.name, gone: null, ...counts });
}

/**
 * Replaces an image's row and counts the difference, without reading the other images. Must run inside
 * `store.changeAll`.
 */
export async function putImage(store: CopyStore, dataset: DatasetRow, after: ImageRow): Promise<void> {
  const before = await store.images.get(after.id);
  await store.images.put(after);
  const { choice } = dataset;
  if (!choice || (choice.ids && !choice.ids.includes(after.id))) return;
  const progress = await store.progress.get(dataset.id);
  if (!progress) return;
  if (before) add(progress, before, choice.form, -1);
  add(progress, after, choice.form, 1);
  await store.progress.put(progress);
}

function add({ images, bytes }: Counts, row: ImageRow, form: FileForm, sign: 1 | -1): void {
  const here = isHere(row, form);
  const size = row.file && row.file.form === form ? row.file.bytes : expectedBytes(form, row);
  images.total += sign;
  bytes.total += sign * size;
  if (!here) return;
  images.here += sign;
  bytes.here += sign * size;
}
