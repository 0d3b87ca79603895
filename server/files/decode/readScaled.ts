import { ImageError } from "../paths/imageError";
import type { ImageStorage } from "../storage/storage";
import { decodeFile, decoding } from "./decoder";
import { MIME } from "./imageType";
import type { SizedSource } from "./readPart";
import { readUpright, withLocalFile } from "./readUpright";

const SECONDS = 15;

/**
 * Returns the upright image as `side` x `side` pixels, row by row, transparent parts white: one number for each in
 * grey, red, green and blue in colour. Colour profiles are ignored: applying one takes nearly as long as decoding a
 * photograph, and hardly changes the brightness. Throws ImageError if the image cannot be decoded to its end or its
 * size differs from its row.
 */
export function readScaled(
  images: Pick<ImageStorage, "local">,
  source: SizedSource,
  side: number,
  { isGrey }: { isGrey: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  const { mime } = source;
  const isLenient = mime === MIME.gif || mime === MIME.bmp;
  const channels = isGrey ? 1 : 3;
  const read = async (file: string) => {
    const input = isLenient
      ? await readUpright(file, mime, SECONDS)
      : decodeFile(file, { failOn: "truncated", seconds: SECONDS, ignoreProfile: true });
    const { autoOrient } = await input.metadata();
    if (autoOrient.width !== source.width || autoOrient.height !== source.height) throw new ImageError(CHANGED);
    const scaled = input.flatten({ background: "#ffffff" }).resize(side, side, { fit: "fill" });
    const { data, info } = await (isGrey ? scaled.greyscale() : scaled.toColourspace("srgb"))
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    if (info.channels === channels) return new Uint8Array(data);
    // Grey files have one channel, in colour too.
    return Uint8Array.from(
      { length: channels * side * side },
      (_, i) => data[Math.floor(i / channels) * info.channels + Math.min(i % channels, info.channels - 1)]!,
    );
  };
  return withLocalFile(images, source, ({ path }) => decoding(() => read(path)));
}

const CHANGED = "its file has changed; scan the dataset again";
