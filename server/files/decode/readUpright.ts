import sharp, { type Sharp } from "sharp";
import { ImageError } from "../paths/imageError";
import { existingImageFile } from "../paths/openImageFile";
import { decodeBmp } from "./bmp";
import { decodeFile } from "./decoder";
import { MIME } from "./imageType";

/** An image's row and its dataset's folder, as needed to read its file. */
export interface StoredImage {
  folder: string;
  path: string;
  hash: string;
  mime: string;
}

/**
 * Reads an image under `root` and turns it upright. Call it within `decoding`. A damaged image is decoded as far as
 * possible, like in browsers.
 */
export async function readUpright(root: string, { folder, path, mime }: StoredImage, seconds: number): Promise<Sharp> {
  const file = await existingImageFile(root, folder, path);
  if (!file) throw new ImageError("it no longer exists");
  if (mime !== MIME.bmp) return decodeFile(file, { failOn: "none", seconds });
  const { data, width, height, channels } = await decodeBmp(file);
  return sharp(data, { raw: { width, height, channels } }).timeout({ seconds });
}
