import sharp, { type Sharp } from "sharp";
import { tooMany, unavailable } from "../../base/errors";
import { FairLine } from "../../base/fairLine";
import { damaged, ImageError } from "../paths/imageError";

/** sharp (libvips), configured for untrusted files, and a limit on concurrent decoding. */

/** Admits the images of a 100-megapixel camera, but not images made to exhaust the memory. */
export const MAX_PIXELS = 120_000_000;
/** Number of images decoded at once. Leaves one of libuv's four threads for files and passwords. */
const AT_ONCE = 3;

// The cache is keyed by file name, so it would return old results after a file has changed.
sharp.cache(false);
// libvips detects the type by itself, so only these loaders are allowed, whatever a file claims to be: no SVG, no PDF.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Nsgif", "Webp", "Tiff", "Heif"].flatMap((type) => [
    `VipsForeignLoad${type}File`,
    `VipsForeignLoad${type}Buffer`,
  ]),
});

interface DecodeOptions {
  /** Tolerance for damage: "none" decodes as much as possible, "truncated" rejects a truncated file. */
  failOn: "none" | "truncated" | "error";
  seconds: number;
  /** True to leave the numbers of pixels as stored, without the file's colour profile. Default false. */
  ignoreProfile?: boolean;
}

/** Decodes the first frame of an image file. */
export function decodeFile(file: string, { failOn, seconds, ignoreProfile = false }: DecodeOptions): Sharp {
  const limits = { failOn, limitInputPixels: MAX_PIXELS };
  const input = sharp(file, { ...limits, sequentialRead: true, autoOrient: true, ignoreIcc: ignoreProfile });
  return input.timeout({ seconds });
}

/** Number of images of one requester that may wait: several pages of thumbnails. */
const MAX_WAITING = 500;
const RETRY_SECONDS = 5;

const waiting = new FairLine<() => void>();
let running = 0;

/**
 * Runs `work` when fewer than AT_ONCE others are running; users take turns. Converts decoder errors to ImageError.
 * Throws 429 if too many images of the requester are waiting.
 */
export async function decoding<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running++;
  else if (waiting.own >= MAX_WAITING) throw tooMany(RETRY_SECONDS, "Your earlier images are still being read.");
  else await new Promise<void>((go) => waiting.add(go));
  try {
    return await work();
  } catch (error) {
    throw asImageError(error);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

function asImageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ImageError || "code" in error) return error;
  if (/no space left|write error|write failed|unable to write/i.test(error.message)) return unavailable(DISK_FULL, 30);
  const reason = reasonOf(error.message);
  return reason ? new ImageError(reason, { cause: error }) : damaged(error);
}

/**
 * Returns the reason in words for users, since libvips' messages contain paths and function names; undefined for any
 * other message, which counts as damage.
 */
function reasonOf(message: string): string | undefined {
  if (/pixel limit|too (large|big)|exceeds/i.test(message)) return TOO_LARGE;
  if (/timeout/i.test(message)) return "decoding it takes too long";
  if (/samples_per_pixel not a whole number|bits per sample/i.test(message)) return ODD_BITS;
  if (/labq/i.test(message)) return LAB;
  if (/premature|truncated|not enough|end of (file|stream|image|gif)|out of data|VipsJpeg: .*EOF/i.test(message))
    return CUT_OFF;
  return undefined;
}

/** The decoder reads TIFF files with 1, 2, 4, 8, 16 and 32 bits per channel, and L*a*b* with 16 and 32. */
const ODD_BITS = "its number of bits per colour channel is not supported (12, for example): convert it to 8 or 16 bits";
const LAB = "its colours are 8-bit L*a*b*, which is not supported: convert it to RGB";
const DISK_FULL = "The server's disk is full or cannot be written to.";
export const CUT_OFF = "it is cut off";
export const TOO_LARGE = `it has more than ${MAX_PIXELS / 1_000_000} million pixels`;
