import type { Sharp } from "sharp";
import { MAX_IMAGE_WIDTH, THUMBNAIL_WIDTH } from "../../../shared/constants";
import { type FileState, fileState, type OpenFile } from "../paths/openImageFile";
import { locate } from "../paths/safePath";
import { decoding } from "./decoder";
import { MIME } from "./imageType";
import { readUpright, type StoredImage } from "./readUpright";
import { makeViewCache } from "./viewCache";

/**
 * "full" for an upright PNG, otherwise the box in pixels that the image is scaled down to fit; the image is never
 * enlarged.
 */
export type ViewSize = "full" | { width?: number | undefined; height?: number | undefined };

/** An image rendered from a stored one. `tag` changes with the stored bytes and with the size. */
export interface View {
  mime: string;
  tag: string;
  /** Renders the image or reads it from the cache. Throws ImageError if it cannot be decoded at all. */
  content(): Promise<Buffer | OpenFile>;
}

/** Widths in pixels that are cached: the thumbnails of lists, also for high-density screens. */
const KEPT_WIDTHS = [THUMBNAIL_WIDTH, 2 * THUMBNAIL_WIDTH];
const JPEG_QUALITY = 80;
const SCALE_SECONDS = 10;
const FULL_SECONDS = 60;

/**
 * Returns a function that makes views of images under `root`; it returns undefined if the file does not exist. Some
 * views are cached under `cache`, which may be emptied at any time.
 */
export function makeViews(root: string, cache: string) {
  const kept = makeViewCache(cache);

  return async (image: StoredImage, wanted: ViewSize): Promise<View | undefined> => {
    const state = await fileState(locate(root, image.folder, image.path));
    if (!state) return undefined;
    const size = wanted === "full" ? wanted : boxOf(wanted);
    const tag = tagOf(image, state, size);
    const input = (seconds: number) => () => readUpright(root, image, seconds);
    if (size === "full")
      return { mime: MIME.png, tag, content: () => kept.file(`${tag}.png`, (to) => writePng(input(FULL_SECONDS), to)) };
    const make = () => scaledJpeg(input(SCALE_SECONDS), size);
    const content = isKept(size) ? () => kept.bytes(`${tag}.jpg`, make) : make;
    return { mime: MIME.jpeg, tag, content };
  };
}

/** Returns the names of all views of a stored image that may be in the cache. */
export function viewNames(image: Pick<StoredImage, "hash">, state: FileState): string[] {
  const small = KEPT_WIDTHS.map((width) => `${tagOf(image, state, { width, height: MAX_IMAGE_WIDTH })}.jpg`);
  return [...small, `${tagOf(image, state, "full")}.png`];
}

type Box = { width: number; height: number };

function boxOf({ width = MAX_IMAGE_WIDTH, height = MAX_IMAGE_WIDTH }: Exclude<ViewSize, "full">): Box {
  return { width: Math.min(width, MAX_IMAGE_WIDTH), height: Math.min(height, MAX_IMAGE_WIDTH) };
}

const isKept = ({ width, height }: Box) => KEPT_WIDTHS.includes(width) && height === MAX_IMAGE_WIDTH;

/**
 * Returns the tag of a view. Includes the file's size and time, since the file may be changed without Limn's knowledge.
 */
function tagOf({ hash }: Pick<StoredImage, "hash">, { bytes, modifiedMs }: FileState, size: "full" | Box): string {
  const look = size === "full" ? size : `${size.width}x${size.height}`;
  return `${hash}-${bytes.toString(36)}-${modifiedMs.toString(36)}-${look}`;
}

/** Scales down to a JPEG; transparent parts become white. */
function scaledJpeg(input: () => Promise<Sharp>, { width, height }: Box): Promise<Buffer> {
  return decoding(async () =>
    (await input())
      .resize({ width, height, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer(),
  );
}

/** Writes a PNG, fast rather than small: it is usually made once and read by one browser. */
async function writePng(input: () => Promise<Sharp>, to: string): Promise<void> {
  await decoding(async () => (await input()).png({ compressionLevel: 3 }).toFile(to));
}
