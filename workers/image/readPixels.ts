import { type Pixels, pixelsOf } from "../../shared/wand/pixels";
import { BitmapPicture } from "./bitmapPicture";
import { loadBitmap } from "./loadBitmap";

/**
 * The pixels of an image of our own server. Throws an Error for people to read where it cannot be fetched or decoded.
 */
export async function readPixels(address: string): Promise<Pixels> {
  const picture = new BitmapPicture(await loadBitmap(address));
  try {
    const { width, height } = picture;
    const { data } = await picture.read({ left: 0, top: 0, right: width, bottom: height });
    return pixelsOf(data, width, height);
  } finally {
    picture.close();
  }
}
