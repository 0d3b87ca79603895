import { ImageError } from "../paths/imageError";
import { decoding } from "./decoder";
import { readUpright, type StoredImage } from "./readUpright";

/** A rectangle in pixels of the upright image; `right` and `bottom` are where it ends. */
export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Decoded pixels: red, green, blue, alpha (not premultiplied), row by row, in sRGB. The memory is the caller's to move. */
export interface PixelPart {
  data: Uint8Array;
  left: number;
  top: number;
  width: number;
  height: number;
}

const SECONDS = 15;

/** The size that the image's row has, in pixels. */
export type SizedSource = StoredImage & { width: number; height: number };

/**
 * The pixels of a box that lies inside the image, at full resolution; only they are kept in memory where the file's
 * type allows it. Throws ImageError where the image cannot be decoded, or has another size than its row says.
 */
export function readPart(root: string, source: SizedSource, box: PixelBox): Promise<PixelPart> {
  const { left, top } = box;
  const region = { left, top, width: box.right - left, height: box.bottom - top };
  return decoding(async () => {
    const input = await readUpright(root, source, SECONDS);
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
  });
}

const CHANGED = "its file has changed; scan the dataset again";
