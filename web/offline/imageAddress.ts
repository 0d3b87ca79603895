import { SerialQueue } from "../../shared/async/serialQueue";
import { THUMBNAIL_WIDTH } from "../../shared/constants";
import type { LocalImages } from "../io/images/imageAddress";
import { BatchReader } from "./batchReader";
import { isReduced } from "./copy/chosen";
import type { CopyStore } from "./copy/copyStore";
import type { ImageRow } from "./copy/records";

/** Maximum numbers of addresses: files for the images around the open one, thumbnails for a few pages of a list. */
const MAX_FILES = 6;
const MAX_THUMBNAILS = 400;

/** Creates addresses of image files and thumbnails in a user's copies. `close` makes them invalid. */
export function localImagesOf(store: CopyStore): LocalImages & { close: () => void } {
  const files = new Addresses(MAX_FILES);
  const thumbnails = new Addresses(MAX_THUMBNAILS);
  const making = new SerialQueue();
  const rows = new BatchReader((ids) => store.images.bulkGet([...ids]));
  const stored = new BatchReader((ids) => store.thumbnails.bulkGet([...ids]));
  return {
    fileOf: async (id) => {
      const row = await store.images.get(id);
      const blob = row?.file && (await store.files.get(id))?.blob;
      return row && blob ? files.of(keyOf(row), blob) + sizeOf(row) : undefined;
    },
    thumbnailOf: async (id) => {
      const row = await rows.read(id);
      if (!row?.file) return undefined;
      const known = thumbnails.find(keyOf(row));
      if (known) return known;
      const blob = (await stored.read(id))?.blob ?? (await making.add(() => thumbnailOf(store, id)));
      return blob && thumbnails.of(keyOf(row), blob);
    },
    close: () => {
      files.close();
      thumbnails.close();
    },
  };
}

const keyOf = ({ id, file }: ImageRow): string => `${id} ${file?.hash}`;

function sizeOf(row: ImageRow): string {
  return row.file && isReduced(row.file.form, row) ? `#${row.width}x${row.height}` : "";
}

/** `blob:` addresses. Above the limit, the least recently used ones are released. */
class Addresses {
  private readonly byKey = new Map<string, string>();

  constructor(private readonly limit: number) {}

  find(key: string): string | undefined {
    const known = this.byKey.get(key);
    if (known === undefined) return undefined;
    this.byKey.delete(key);
    this.byKey.set(key, known);
    return known;
  }

  of(key: string, blob: Blob): string {
    const address = this.find(key) ?? URL.createObjectURL(blob);
    this.byKey.set(key, address);
    for (const [oldest, old] of this.byKey) {
      if (this.byKey.size <= this.limit) break;
      URL.revokeObjectURL(old);
      this.byKey.delete(oldest);
    }
    return address;
  }

  close(): void {
    for (const address of this.byKey.values()) URL.revokeObjectURL(address);
    this.byKey.clear();
  }
}

/** Returns the thumbnail, made from the file and stored on first use. The browser decodes off the main thread. */
async function thumbnailOf(store: CopyStore, imageId: number): Promise<Blob | undefined> {
  const stored = await store.thumbnails.get(imageId);
  if (stored) return stored.blob;
  const file = await store.files.get(imageId);
  if (!file) return undefined;
  const blob = await reduce(file.blob);
  // If the storage is full, the thumbnail is made again next time.
  await store.thumbnails.put({ image_id: imageId, blob }).catch(() => undefined);
  return blob;
}

async function reduce(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { resizeWidth: THUMBNAIL_WIDTH, resizeQuality: "medium" });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
}
