import { type Pixels, pixelsOf } from "../../shared/wand/pixels";
import { BitmapSource } from "./bitmapSource";
import { loadBitmap } from "./loadBitmap";

/**
 * The pixels of an image of our own server. Throws an Error for people to read where it cannot be fetched or decoded.
 */
export async function readPixels(address: string): Promise<Pixels> {
  const source = new BitmapSource(await loadBitmap(address));
  try {
    const { width, height } = source;
    const { data } = await source.read({ left: 0, top: 0, right: width, bottom: height });
    return pixelsOf(data, width, height);
  } finally {
    source.close();
  }
}
