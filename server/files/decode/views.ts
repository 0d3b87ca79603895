import type { Sharp } from "sharp";
import { MAX_IMAGE_WIDTH, THUMBNAIL_WIDTH } from "../../../shared/constants";
import type { FileState, OpenFile } from "../paths/openImageFile";
import type { Storage } from "../storage/storage";
import { decoding } from "./decoder";
import { MIME } from "./imageType";
import { readUpright, type StoredImage, withLocalFile } from "./readUpright";
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
 * Returns a function that makes views of images; it returns undefined if the file does not exist. Caches some views.
 */
export function makeViews({ images, views }: Pick<Storage, "images" | "views">) {
  const kept = makeViewCache(views);

  return async (image: StoredImage, wanted: ViewSize): Promise<View | undefined> => {
    const state = await images.state(image.folder, image.path);
    if (!state) return undefined;
    const size = wanted === "full" ? wanted : boxOf(wanted);
    const tag = tagOf(image, state, size);
    const render = <T>(seconds: number, work: (input: () => Promise<Sharp>) => Promise<T>): Promise<T> =>
      withLocalFile(images, image, ({ path }) => work(() => readUpright(path, image.mime, seconds)));
    if (size === "full") {
      const write = (to: string) => render(FULL_SECONDS, (input) => writePng(input, to));
      return { mime: MIME.png, tag, content: () => kept.file(`${tag}.png`, write) };
    }
    const make = () => render(SCALE_SECONDS, (input) => scaledJpeg(input, size));
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
