import type { Box, Part } from "../../../model/dextr/base/imageSource";
import type { Size } from "../../../shared/entities/image";
import type { Files } from "../../files/files";

/** Number of pixels above which an image is not kept in memory; each part is then read by itself. */
const MOST_KEPT = 25_000_000;

/** Returns a function that reads parts of an image, which is decoded only once unless it is large. */
export function partReader(
  files: Files,
  image: Parameters<Files["images"]["part"]>[0] & Size,
): (box: Box) => Promise<Part> {
  const { width, height } = image;
  if (width * height > MOST_KEPT) return (box) => files.images.part(image, box);
  let whole: Promise<Part> | undefined;
  return async (box) => {
    whole ??= files.images.part(image, { left: 0, top: 0, right: width, bottom: height });
    return partOf(await whole, box);
  };
}

function partOf({ data, width }: Part, { left, top, right, bottom }: Box): Part {
  const part = { left, top, width: right - left, height: bottom - top };
  const pixels = new Uint8Array(4 * part.width * part.height);
  for (let y = 0; y < part.height; y++) {
    const from = 4 * ((top + y) * width + left);
    pixels.set(data.subarray(from, from + 4 * part.width), 4 * y * part.width);
  }
  return { ...part, data: pixels };
}
