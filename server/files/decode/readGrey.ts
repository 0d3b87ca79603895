import { ImageError } from "../paths/imageError";
import type { ImageStorage } from "../storage/storage";
import { decodeFile, decoding } from "./decoder";
import { MIME } from "./imageType";
import type { SizedSource } from "./readPart";
import { readUpright, withLocalFile } from "./readUpright";

const SECONDS = 15;

/**
 * Returns the upright image as `side` x `side` grey pixels, transparent parts white. Colour profiles are ignored: applying
 * one takes nearly as long as decoding a photograph, and hardly changes the brightness. Throws ImageError if the image cannot
 * be decoded to its end or its size differs from its row.
 */
export function readGrey(images: Pick<ImageStorage, "local">, source: SizedSource, side: number): Promise<Uint8Array> {
  const { mime } = source;
  const isLenient = mime === MIME.gif || mime === MIME.bmp;
  const read = async (file: string) => {
    const input = isLenient
      ? await readUpright(file, mime, SECONDS)
      : decodeFile(file, { failOn: "truncated", seconds: SECONDS, ignoreProfile: true });
    const { autoOrient } = await input.metadata();
    if (autoOrient.width !== source.width || autoOrient.height !== source.height) throw new ImageError(CHANGED);
    const { data, info } = await input
      .flatten({ background: "#ffffff" })
      .resize(side, side, { fit: "fill" })
      .greyscale()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    if (info.channels === 1) return new Uint8Array(data);
    return Uint8Array.from({ length: side * side }, (_, i) => data[i * info.channels]!);
  };
  return withLocalFile(images, source, ({ path }) => decoding(() => read(path)));
}

const CHANGED = "its file has changed; scan the dataset again";
