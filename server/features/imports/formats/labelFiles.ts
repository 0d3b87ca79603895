import type { ZipText } from "../../../files/zip/zipTexts";
import type { SplitItem, SplitOptions } from "./splitItem";

/** Yields the label files of a zip in order, and reports the progress. */
export async function* labelFiles(
  { transfers, upload, signal, onBytes }: SplitOptions,
  isLabelFile: (path: string) => boolean,
): AsyncGenerator<ZipText> {
  const bytes = await transfers.uploadBytes(upload);
  for await (const file of transfers.zipTexts(upload)) {
    signal.throwIfAborted();
    if (isLabelFile(file.path)) yield file;
    onBytes?.((bytes * file.number) / Math.max(1, file.count));
  }
}

const GROUP_ITEMS = 500;

/** Numbers the elements of each list, and yields them in groups. */
export class Items {
  private items: SplitItem[] = [];
  private readonly counts = new Map<string, number>();

  add(key: string, item: Omit<SplitItem, "key" | "index" | "text"> & { text?: string }): void {
    const index = this.counts.get(key) ?? 0;
    this.counts.set(key, index + 1);
    this.items.push({ text: "", ...item, key, index });
  }

  /** Yields the collected items once there are enough for a group. */
  *fullGroup(): Generator<SplitItem[]> {
    if (this.items.length >= GROUP_ITEMS) yield* this.rest();
  }

  /** Yields all collected items. */
  *rest(): Generator<SplitItem[]> {
    if (this.items.length > 0) yield this.items;
    this.items = [];
  }
}
