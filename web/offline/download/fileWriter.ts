import type { CopyStore } from "../copy/copyStore";
import { putImage } from "../copy/counts";
import type { DatasetRow, FileForm, ImageRow } from "../copy/records";

interface ArrivedFile {
  /** The image's row when the file was requested. */
  row: ImageRow;
  form: FileForm;
  blob: Blob;
}

/** Number of files that may wait to be stored. */
const MAX_WAITING = 12;

/** Stores files while others arrive: those that have arrived during one transaction share the next. */
export class FileWriter {
  private waiting: ArrivedFile[] = [];
  private writing: Promise<void> | null = null;

  constructor(private readonly store: CopyStore) {}

  /** Takes a file. Waits if too many are waiting already. Rejects if the browser cannot store this or an earlier one. */
  async add(file: ArrivedFile): Promise<void> {
    this.waiting.push(file);
    this.writing ??= this.write();
    this.writing.catch(() => undefined);
    if (this.waiting.length >= MAX_WAITING) await this.writing;
  }

  /** Resolves when all files are stored. Rejects if the browser could not store one. */
  async flush(): Promise<void> {
    await this.writing;
  }

  /** Ends only when nothing waits. After a failure, every later call fails, too. */
  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const files = this.waiting;
      this.waiting = [];
      await storeFiles(this.store, files);
    }
    this.writing = null;
  }
}

/** Stores files in one transaction with their rows, except those whose image or dataset has left the copy. */
export function storeFiles(store: CopyStore, files: readonly ArrivedFile[]): Promise<void> {
  const ids = files.map(({ row }) => row.id);
  return store.changeAll(async () => {
    const rows = await store.images.bulkGet(ids);
    const datasets = new Map<number, DatasetRow | undefined>();
    const stored: { image_id: number; blob: Blob }[] = [];
    for (const [i, { row: wanted, form, blob }] of files.entries()) {
      const row = rows[i];
      if (!row) continue;
      const { id, dataset_id } = row;
      if (!datasets.has(dataset_id)) datasets.set(dataset_id, await store.datasets.get(dataset_id));
      const dataset = datasets.get(dataset_id);
      if (!dataset) continue;
      stored.push({ image_id: id, blob });
      await putImage(store, dataset, { ...row, file: { form, hash: wanted.hash, bytes: blob.size } });
    }
    await store.files.bulkPut(stored);
    await store.thumbnails.bulkDelete(ids);
    await store.parts.bulkDelete(ids);
  });
}
