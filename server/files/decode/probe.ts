import { open } from "node:fs/promises";
import { basename } from "node:path";
import { hashFile } from "../paths/hashFile";
import { damaged, ImageError } from "../paths/imageError";
import { fileState } from "../paths/openImageFile";
import { bmpSize } from "./bmp";
import { CUT_OFF, decodeFile, decoding, MAX_PIXELS, TOO_LARGE } from "./decoder";
import { HEAD_BYTES, type ImageType, isImageName, MIME, typeOf, unsupportedKind } from "./imageType";

/** Stored properties of an image's file. Width and height are those of the upright image, in pixels. */
export interface ImageFacts {
  mime: string;
  width: number;
  height: number;
  /** The EXIF orientation of the stored file, 1 to 8. */
  orientation: number;
  bytes: number;
  modifiedMs: number;
  /** SHA-256, hexadecimal. */
  hash: string;
}

const SECONDS = 20;
const TAIL_BYTES = 4096;

/**
 * Reads type, size and hash of an image file. Throws ImageError if its type is not supported, or it is too large or
 * truncated. A JPEG or PNG file is complete if it ends with its end marker, and a WebP file if it has the length that
 * its header states; both are cheap to check. Files of other types, and files that fail the check, are decoded to the
 * last pixel. `name` is the file's own name, if the path has another.
 */
export async function probe(file: string, name = basename(file)): Promise<ImageFacts> {
  const before = await fileState(file);
  if (!before) throw new ImageError("it no longer exists");
  if (before.bytes === 0) throw new ImageError("it is empty", { isImage: isImageName(name) });
  const { head, tail } = await readEnds(file, before.bytes);
  const type = typeOf(head);
  if (!type) throw refusal(head, name);
  const hash = await hashFile(file);
  const size = await wholeImage(file, type, endOf(type, head, tail, before.bytes));
  const after = await fileState(file);
  if (after?.bytes !== before.bytes || after.modifiedMs !== before.modifiedMs) throw new ImageError(UNFINISHED);
  return { mime: MIME[type], ...size, ...before, hash };
}

export const UNFINISHED = "it is still being written; the next scan will add it";

type Size = Pick<ImageFacts, "width" | "height" | "orientation">;

function refusal(head: Buffer, name: string): ImageError {
  const kind = unsupportedKind(head, name);
  return new ImageError(kind ?? "its type is not supported", { isImage: kind !== undefined });
}

async function readEnds(file: string, bytes: number): Promise<{ head: Buffer; tail: Buffer }> {
  const handle = await open(file, "r");
  try {
    const read = async (length: number, position: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    return { head: await read(HEAD_BYTES, 0), tail: await read(TAIL_BYTES, Math.max(0, bytes - TAIL_BYTES)) };
  } finally {
    await handle.close();
  }
}

async function wholeImage(file: string, type: ImageType, end: End): Promise<Size> {
  if (type === "bmp") return decoding(() => bmpFacts(file));
  try {
    const size = await imageSize(file);
    if (end !== "there") await decodeWholly(file);
    return size;
  } catch (error) {
    const isDamaged = error instanceof ImageError && error.isDamaged;
    throw isDamaged && end === "missing" ? new ImageError(CUT_OFF, { cause: error }) : error;
  }
}

/** Reads the size from the file's header. */
async function imageSize(file: string): Promise<Size> {
  return decoding(async () => {
    const { autoOrient, orientation } = await decodeFile(file, { failOn: "none", seconds: SECONDS }).metadata();
    return checkedSize(autoOrient.width, autoOrient.height, orientation ?? 1);
  });
}

async function bmpFacts(file: string): Promise<Size> {
  const { width, height } = await bmpSize(file);
  return checkedSize(width, height, 1);
}

function checkedSize(width: number, height: number, orientation: number): Size {
  if (!(width > 0 && height > 0)) throw damaged();
  if (width * height > MAX_PIXELS) throw new ImageError(TOO_LARGE);
  return { width, height, orientation: orientation >= 1 && orientation <= 8 ? orientation : 1 };
}

type End = "there" | "missing" | "unknown";

/**
 * Returns whether the end of the file is present; "unknown" for types where that needs decoding. Ignores trailing
 * zeros, which are padding.
 */
function endOf(type: ImageType, head: Buffer, tail: Buffer, bytes: number): End {
  let end = tail.length;
  while (end > 0 && tail[end - 1] === 0) end--;
  const last = tail.subarray(Math.max(0, end - 8), end).toString("latin1");
  const thereIf = (isThere: boolean) => (isThere ? "there" : "missing");
  if (type === "jpeg") return thereIf(last.endsWith("\xff\xd9"));
  if (type === "png") return thereIf(last === "IEND\xaeB`\x82");
  // One byte, which also occurs among the pixels, so its presence proves nothing.
  if (type === "gif") return last.endsWith(";") ? "unknown" : "missing";
  if (type === "webp") return thereIf(head.readUInt32LE(4) + 8 <= bytes);
  return "unknown";
}

/** Decodes every pixel, and throws if one cannot be decoded. Scales the result down to keep it small. */
async function decodeWholly(file: string): Promise<void> {
  await decoding(() =>
    decodeFile(file, { failOn: "truncated", seconds: SECONDS }).resize(8, 8, { fit: "fill" }).raw().toBuffer(),
  );
}
