import { ImageError } from "../paths/imageError";
import type { ImageStorage } from "../storage/storage";
import { decoding } from "./decoder";
import { readUpright, type StoredImage, withLocalFile } from "./readUpright";

/** A rectangle in pixels of the upright image; `right` and `bottom` are exclusive. */
export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Decoded pixels: red, green, blue, alpha (not premultiplied), row by row, in sRGB. The caller may transfer the memory.
 */
export interface PixelPart {
  data: Uint8Array;
  left: number;
  top: number;
  width: number;
  height: number;
}

const SECONDS = 15;

/** A stored image with the size from its row, in pixels. */
export type SizedSource = StoredImage & { width: number; height: number };

/**
 * Returns the pixels of a box inside the image, at full resolution. Keeps only these pixels in memory if the file's
 * type allows it. Throws ImageError if the image cannot be decoded or its size differs from its row.
 */
export function readPart(images: Pick<ImageStorage, "local">, source: SizedSource, box: PixelBox): Promise<PixelPart> {
  const { left, top } = box;
  const region = { left, top, width: box.right - left, height: box.bottom - top };
  const read = async (file: string) => {
    const input = await readUpright(file, source.mime, SECONDS);
    const { autoOrient } = await input.metadata();
    if (autoOrient.width !== source.width || autoOrient.height !== source.height) throw new ImageError(CHANGED);
    const { data } = await input
      .extract(region)
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toUint8Array();
    if (data.length !== 4 * region.width * region.height) throw new ImageError("its colours cannot be read");
    return { ...region, data };
  };
  return withLocalFile(images, source, ({ path }) => decoding(() => read(path)));
}

const CHANGED = "its file has changed; scan the dataset again";
