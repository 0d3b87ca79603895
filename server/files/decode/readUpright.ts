import sharp, { type Sharp } from "sharp";
import { ImageError } from "../paths/imageError";
import { existingImageFile } from "../paths/openImageFile";
import { decodeBmp } from "./bmp";
import { decodeFile } from "./decoder";
import { MIME } from "./imageType";

/** An image's row, with its dataset's folder: what is needed to read it. */
export interface StoredImage {
  folder: string;
  path: string;
  hash: string;
  mime: string;
}

/**
 * The image under `root`, upright, to be decoded within `decoding`. What is damaged is shown as far as it goes, as
 * browsers do.
 */
export async function readUpright(root: string, { folder, path, mime }: StoredImage, seconds: number): Promise<Sharp> {
  const file = await existingImageFile(root, folder, path);
  if (!file) throw new ImageError("it is not there any more");
  if (mime !== MIME.bmp) return decodeFile(file, { failOn: "none", seconds });
  const { data, width, height, channels } = await decodeBmp(file);
  return sharp(data, { raw: { width, height, channels } }).timeout({ seconds });
}
