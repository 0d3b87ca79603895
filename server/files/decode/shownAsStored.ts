import type { ImageStorage } from "../storage/storage";
import { isAnimated, PNG_HEAD_BYTES } from "./animation";
import { MIME } from "./imageType";
import { jpegChannels } from "./jpegChannels";
import type { StoredImage } from "./readUpright";

export type TurnedSource = StoredImage & { orientation: number };

/** Types other than JPEG that browsers can show. */
const SHOWN = new Set([MIME.png, MIME.gif, MIME.webp, MIME.avif]);
const CMYK_CHANNELS = 4;
/** Number of bytes that are read of each type; the others are read as a whole. A JPEG may begin with large profiles. */
const HEADS: Record<string, number> = { [MIME.jpeg]: 4_194_304, [MIME.png]: PNG_HEAD_BYTES };

/** Results, by hash, for images of which a copy had to be made, the newest last. */
const answers = new Map<string, boolean>();
const MAX_ANSWERS = 10_000;

function keepAnswer(hash: string, isShown: boolean): void {
  answers.set(hash, isShown);
  const [oldest] = answers.keys();
  if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
}

/**
 * Returns true if browsers show the stored file upright and in the colours that the server decodes. All browsers apply
 * the EXIF orientation of a JPEG, but not all do for other types, so those must need no rotation. Returns false for a
 * CMYK JPEG, since every browser converts its colours differently, and for an animation, since shapes belong to its
 * first frame.
 */
export async function isShownAsStored(
  images: Pick<ImageStorage, "local">,
  { folder, path, mime, orientation, hash }: TurnedSource,
): Promise<boolean> {
  if (mime !== MIME.jpeg && !(SHOWN.has(mime) && orientation === 1)) return false;
  const known = answers.get(hash);
  if (known !== undefined) return known;
  const file = await images.local(folder, path, HEADS[mime]);
  if (file === undefined) return true;
  try {
    const isShown =
      mime === MIME.jpeg ? (await jpegChannels(file.path)) !== CMYK_CHANNELS : !(await isAnimated(file.path, mime));
    if (file.stored) keepAnswer(hash, isShown);
    return isShown;
  } finally {
    await file.release();
  }
}
