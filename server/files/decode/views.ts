import type { Sharp } from "sharp";
import { MAX_IMAGE_WIDTH, THUMBNAIL_WIDTH } from "../../../shared/constants";
import { type FileState, fileState, type OpenFile } from "../paths/openImageFile";
import { locate } from "../paths/safePath";
import { decoding } from "./decoder";
import { MIME } from "./imageType";
import { readUpright, type StoredImage } from "./readUpright";
import { makeViewCache } from "./viewCache";

/** "full": an upright PNG. Else the box in pixels that the image is scaled down to fit in; it is never enlarged. */
export type ViewSize = "full" | { width?: number | undefined; height?: number | undefined };

/** An image made from a stored one. `tag` changes with the stored bytes and with the size. */
export interface View {
  mime: string;
  tag: string;
  /** Made now, or read from the cache. Throws ImageError when the image cannot be decoded at all. */
  content(): Promise<Buffer | OpenFile>;
}

/** Widths in pixels of which a file is kept: the lists' thumbnails, also for screens with double pixels. */
const KEPT_WIDTHS = [THUMBNAIL_WIDTH, 2 * THUMBNAIL_WIDTH];
const JPEG_QUALITY = 80;
const SCALE_SECONDS = 10;
const FULL_SECONDS = 60;

/** Views of the images under `root`; those worth keeping lie under `cache`, which may be emptied at any time. */
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

/** Names of all views of a stored image that may be in the cache. */
export function viewNames(image: Pick<StoredImage, "hash">, state: FileState): string[] {
  const small = KEPT_WIDTHS.map((width) => `${tagOf(image, state, { width, height: MAX_IMAGE_WIDTH })}.jpg`);
  return [...small, `${tagOf(image, state, "full")}.png`];
}

type Box = { width: number; height: number };

function boxOf({ width = MAX_IMAGE_WIDTH, height = MAX_IMAGE_WIDTH }: Exclude<ViewSize, "full">): Box {
  return { width: Math.min(width, MAX_IMAGE_WIDTH), height: Math.min(height, MAX_IMAGE_WIDTH) };
}

const isKept = ({ width, height }: Box) => KEPT_WIDTHS.includes(width) && height === MAX_IMAGE_WIDTH;

/** The hash alone would do until somebody changes the file behind our back. */
function tagOf({ hash }: Pick<StoredImage, "hash">, { bytes, modifiedMs }: FileState, size: "full" | Box): string {
  const look = size === "full" ? size : `${size.width}x${size.height}`;
  return `${hash}-${bytes.toString(36)}-${modifiedMs.toString(36)}-${look}`;
}

/** Transparent parts become white. */
function scaledJpeg(input: () => Promise<Sharp>, { width, height }: Box): Promise<Buffer> {
  return decoding(async () =>
    (await input())
      .resize({ width, height, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer(),
  );
}

/** Fast rather than small: it is made once and read by one's own browser. */
async function writePng(input: () => Promise<Sharp>, to: string): Promise<void> {
  await decoding(async () => (await input()).png({ compressionLevel: 3 }).toFile(to));
}
