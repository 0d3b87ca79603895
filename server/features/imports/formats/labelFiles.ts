import type { ZipText } from "../../../files/zip/zipTexts";
import type { SplitItem, SplitOptions } from "./splitItem";

/** The wanted files of a zip in its order, with the progress told. */
export async function* labelFiles(
  { transfers, upload, signal, onBytes }: SplitOptions,
  isWanted: (path: string) => boolean,
): AsyncGenerator<ZipText> {
  const bytes = await transfers.uploadBytes(upload);
  for await (const file of transfers.zipTexts(upload)) {
    signal.throwIfAborted();
    if (isWanted(file.path)) yield file;
    onBytes?.((bytes * file.number) / Math.max(1, file.count));
  }
}

const MANY = 500;

/** Counts the elements of each list, and hands them on in groups. */
export class Items {
  private items: SplitItem[] = [];
  private readonly counts = new Map<string, number>();

  add(key: string, item: Omit<SplitItem, "key" | "index" | "text"> & { text?: string }): void {
    const index = this.counts.get(key) ?? 0;
    this.counts.set(key, index + 1);
    this.items.push({ text: "", ...item, key, index });
  }

  /** Yields the items added since, if there are many. */
  *some(): Generator<SplitItem[]> {
    if (this.items.length >= MANY) yield* this.rest();
  }

  *rest(): Generator<SplitItem[]> {
    if (this.items.length > 0) yield this.items;
    this.items = [];
  }
}
