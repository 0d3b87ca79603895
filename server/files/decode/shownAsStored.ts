import { existingImageFile } from "../paths/openImageFile";
import { isAnimated } from "./animation";
import { MIME } from "./imageType";
import { jpegChannels } from "./jpegChannels";
import type { StoredImage } from "./readUpright";

export type TurnedSource = StoredImage & { orientation: number };

/** Types other than JPEG that browsers can show. */
const SHOWN = new Set([MIME.png, MIME.gif, MIME.webp, MIME.avif]);
const CMYK_CHANNELS = 4;

/**
 * Returns true if browsers show the stored file upright and in the colours that the server decodes. All browsers apply
 * the EXIF orientation of a JPEG, but not all do for other types, so those must need no rotation. Returns false for a
 * CMYK JPEG, since every browser converts its colours differently, and for an animation, since shapes belong to its
 * first frame.
 */
export async function isShownAsStored(
  root: string,
  { folder, path, mime, orientation }: TurnedSource,
): Promise<boolean> {
  if (mime !== MIME.jpeg && !(SHOWN.has(mime) && orientation === 1)) return false;
  const file = await existingImageFile(root, folder, path);
  if (file === undefined) return true;
  return mime === MIME.jpeg ? (await jpegChannels(file)) !== CMYK_CHANNELS : !(await isAnimated(file, mime));
}
