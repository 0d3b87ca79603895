import sharp, { type Sharp } from "sharp";
import { ImageError } from "../paths/imageError";
import type { ImageStorage, LocalFile } from "../storage/storage";
import { firstFrame } from "./animation";
import { decodeBmp } from "./bmp";
import { decodeFile } from "./decoder";
import { MIME } from "./imageType";

/** Values from an image's row, and its dataset's folder, that are needed to read the image's file. */
export interface StoredImage {
  folder: string;
  path: string;
  hash: string;
  mime: string;
}

/** Calls `use` with the image's file on the local disk. Throws ImageError if it does not exist. */
export async function withLocalFile<T>(
  images: Pick<ImageStorage, "local">,
  { folder, path }: Pick<StoredImage, "folder" | "path">,
  use: (file: LocalFile) => Promise<T>,
): Promise<T> {
  const file = await images.local(folder, path);
  if (!file) throw new ImageError("it no longer exists");
  try {
    return await use(file);
  } finally {
    await file.release();
  }
}

/**
 * Reads an image's local file and turns it upright. Call it within `decoding`. A damaged image is decoded as far as
 * possible, like in browsers.
 */
export async function readUpright(file: string, mime: string, seconds: number): Promise<Sharp> {
  if (mime === MIME.gif) return readGif(file, seconds);
  if (mime !== MIME.bmp) return decodeFile(file, { failOn: "none", seconds });
  const { data, width, height, channels } = await decodeBmp(file);
  return sharp(data, { raw: { width, height, channels } }).timeout({ seconds });
}

/** Reads a GIF. Its first frame may be smaller than the image: the rest is transparent, but libvips makes it black. */
async function readGif(file: string, seconds: number): Promise<Sharp> {
  const decoded = decodeFile(file, { failOn: "none", seconds });
  const [{ width, height }, frame] = await Promise.all([decoded.metadata(), firstFrame(file)]);
  if (!frame || (frame.left === 0 && frame.top === 0 && frame.width >= width && frame.height >= height)) return decoded;
  const { data, info } = await decoded.clone().ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const isInside = (x: number, y: number) =>
    x >= frame.left && x < frame.left + frame.width && y >= frame.top && y < frame.top + frame.height;
  for (let y = 0, at = 0; y < info.height; y++)
    for (let x = 0; x < info.width; x++, at += 4) if (!isInside(x, y)) data.fill(0, at, at + 4);
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } }).timeout({ seconds });
}
