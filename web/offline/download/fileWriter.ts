import type { CopyStore } from "../copy/copyStore";
import { putImages } from "../copy/counts";
import type { FileForm, ImageRow } from "../copy/records";

interface ArrivedFile {
  /** The image's row when the file was requested. */
  row: ImageRow;
  form: FileForm;
  blob: Blob;
}

/** Numbers of waiting files and of their bytes from which the files are stored. */
const BATCH = { files: 8, bytes: 4_000_000 };
/** Maximum time that files wait, in milliseconds, so that progress is shown and an interruption loses little. */
const LONGEST_WAIT_MS = 250;
/** Maximum numbers of waiting files and of their bytes. */
const MAX_WAITING = { files: 24, bytes: 32_000_000 };

/** Stores files in batches while others arrive, because a transaction costs more than a file in it. */
export class FileWriter {
  private waiting: ArrivedFile[] = [];
  private bytes = 0;
  private writing: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly store: CopyStore) {}

  /**
   * Adds a file. If too many files wait, resolves when they are stored. Rejects if the browser cannot store this or an
   * earlier one.
   */
  async add(file: ArrivedFile): Promise<void> {
    this.waiting.push(file);
    this.bytes += file.blob.size;
    if (this.waiting.length >= BATCH.files || this.bytes >= BATCH.bytes) this.begin();
    else this.timer ??= setTimeout(() => this.begin(), LONGEST_WAIT_MS);
    if (this.waiting.length >= MAX_WAITING.files || this.bytes >= MAX_WAITING.bytes) await this.writing;
  }

  /** Resolves when all files are stored. Rejects if the browser could not store one of them. */
  async flush(): Promise<void> {
    this.begin();
    await this.writing;
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length === 0) return;
    this.writing ??= this.write();
    this.writing.catch(() => undefined);
  }

  /** Stores files until none wait. After a failure, nothing is stored any more, and every `flush` rejects. */
  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const files = this.waiting;
      this.waiting = [];
      this.bytes = 0;
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
    const here = files.flatMap(({ row: wanted, form, blob }, i) => {
      const row = rows[i];
      const file = { form, hash: wanted.hash, bytes: blob.size };
      return row ? [{ row: { ...row, file }, blob }] : [];
    });
    const datasetIds = [...new Set(here.map(({ row }) => row.dataset_id))];
    for (const dataset of await store.datasets.bulkGet(datasetIds)) {
      if (!dataset) continue;
      const ofDataset = here.filter(({ row }) => row.dataset_id === dataset.id);
      await store.files.bulkPut(ofDataset.map(({ row, blob }) => ({ image_id: row.id, blob })));
      await putImages(
        store,
        dataset,
        ofDataset.map(({ row }) => row),
      );
    }
    await store.thumbnails.bulkDelete(ids);
    await store.parts.bulkDelete(ids);
  });
}
