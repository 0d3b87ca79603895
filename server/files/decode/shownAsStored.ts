import { existingImageFile } from "../paths/openImageFile";
import { MIME } from "./imageType";
import { jpegChannels } from "./jpegChannels";
import type { StoredImage } from "./readUpright";

export type TurnedSource = StoredImage & { orientation: number };

/** Types other than JPEG that browsers show as they are. */
const SHOWN = new Set([MIME.png, MIME.gif, MIME.webp, MIME.avif]);
const INKS = 4;

/**
 * Returns true if browsers show the stored file upright and in the colours that the server sees. They turn a JPEG by its EXIF
 * orientation; of the other types not all browsers do, so those are stored files only where nothing is to turn. Each
 * makes colours of a JPEG's inks (CMYK) in its own way.
 */
export async function isShownAsStored(
  root: string,
  { folder, path, mime, orientation }: TurnedSource,
): Promise<boolean> {
  if (mime !== MIME.jpeg) return SHOWN.has(mime) && orientation === 1;
  const file = await existingImageFile(root, folder, path);
  return file === undefined || (await jpegChannels(file)) !== INKS;
}
