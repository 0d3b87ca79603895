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
 * Replaces rows of a dataset's images and counts the difference, without reading the other images. Must run inside
 * `store.changeAll`.
 */
export async function putImages(store: CopyStore, dataset: DatasetRow, after: readonly ImageRow[]): Promise<void> {
  const before = await store.images.bulkGet(after.map(({ id }) => id));
  await store.images.bulkPut([...after]);
  const { choice } = dataset;
  const progress = choice && (await store.progress.get(dataset.id));
  if (!choice || !progress) return;
  const isChosen = testOf(choice);
  for (const [i, row] of after.entries()) {
    if (!isChosen(row.id)) continue;
    const old = before[i];
    if (old) add(progress, old, choice.form, -1);
    add(progress, row, choice.form, 1);
  }
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
