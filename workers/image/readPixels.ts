import { type Pixels, pixelsOf } from "../../shared/wand/pixels";
import { BitmapSource } from "./bitmapSource";
import { loadBitmap } from "./loadBitmap";

/** Returns the pixels of an image on our own server. Throws an Error whose message is shown to the user. */
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
