import { join } from "node:path";
import type { Env } from "../base/env";
import type { ImageFacts } from "./decode/probe";
import { probe } from "./decode/probe";
import { type PixelBox, type PixelPart, readPart, type SizedSource } from "./decode/readPart";
import type { StoredImage } from "./decode/readUpright";
import { isShownAsStored, type TurnedSource } from "./decode/shownAsStored";
import { makeViews, type View, type ViewSize } from "./decode/views";
import { makeFolder } from "./paths/datasetFolder";
import { ImageError } from "./paths/imageError";
import { existingImageFile, type FileState, fileState, type OpenFile, openImageFile } from "./paths/openImageFile";
import { locate } from "./paths/safePath";
import { makeTemporaryFiles, type TemporaryFiles } from "./paths/temporaryFiles";
import { type Found, walk } from "./paths/walk";
import { type Moved, moveStored } from "./store/moveStored";
import { type Stored, storeImage } from "./store/storeImage";
import { dropOldZips, dropZip, isZip, keepZip, type ZipMember, zipMembers } from "./zip/zip";

/**
 * The datasets' images. `folder` is a dataset's folder (the column of that name), `path` an image's path inside it,
 * with `/`. Nothing outside server/files knows where they lie. Errors: ImageError says why a file is no image that
 * we take; HttpError what was wrong with the request or the disk.
 */
export interface ImageFiles {
  /**
   * Makes the folder for a new dataset from its name and returns the folder's name. A folder that is there and that no
   * dataset has (`isTaken`, which compares without regard to case) is adopted with what is in it.
   */
  makeFolder(datasetName: string, isTaken: (folder: string) => Promise<boolean>): Promise<string>;
  /** All regular files, also those that are no images. Throws MissingFolder when the folder cannot be read. */
  walk(folder: string): AsyncGenerator<Found>;
  /** Size and time of a file; undefined when it is not there. */
  state(folder: string, path: string): Promise<FileState | undefined>;
  /** Type, size and hash of an image in its place. */
  probe(folder: string, path: string): Promise<ImageFacts>;
  /** The same of an uploaded file. */
  probeUpload(file: string): Promise<ImageFacts>;
  /**
   * Moves an uploaded file to its place, all or nothing, on disk for good when the promise resolves. Never overwrites:
   * where a file is, the answer says whether it has the same bytes.
   */
  store(folder: string, path: string, file: string, hash: string): Promise<Stored>;
  /** Moves a stored file inside its dataset's folder, all or nothing, on disk for good; never over another file. */
  move(folder: string, from: string, to: string): Promise<Moved>;
  /** True if browsers show the stored file as the server sees it; otherwise they get its view. */
  isShownAsStored(image: TurnedSource): Promise<boolean>;
  /** The stored file; undefined when it is not there. */
  open(folder: string, path: string): Promise<OpenFile | undefined>;
  /**
   * The image upright, as JPEG of at most this size or as PNG of full size. Undefined when the file is not there.
   * Made once where it is worth keeping.
   */
  view(image: StoredImage, size: ViewSize): Promise<View | undefined>;
  /** The pixels of a box of the upright image. Throws ImageError where they cannot be read. */
  part(image: SizedSource, box: PixelBox): Promise<PixelPart>;
  /** Returns true if an uploaded file is a zip, by its first bytes. */
  isZip(file: string): Promise<boolean>;
  /** Keeps an uploaded zip until a task has read it; returns its name. */
  keepZip(file: string): Promise<string>;
  /** The images of a kept zip, one after another, each as a temporary file. */
  zipMembers(name: string): AsyncGenerator<ZipMember>;
  dropZip(name: string): Promise<void>;
  /** Drops what cancelled tasks have left; `wanted` are the names that tasks still need. */
  dropOldZips(wanted: Set<string>): Promise<void>;
  temporary: TemporaryFiles;
}

export function makeImageFiles(env: Pick<Env, "DATA_DIR" | "DATASETS_DIR" | "MAX_UPLOAD_MB">): ImageFiles {
  const root = env.DATASETS_DIR;
  const temporary = makeTemporaryFiles(join(env.DATA_DIR, "tmp"));
  const zips = join(env.DATA_DIR, "zips");
  const views = makeViews(root, join(env.DATA_DIR, "cache", "pictures"));
  return {
    makeFolder: (name, isTaken) => makeFolder(root, name, isTaken),
    walk: (folder) => walk(root, folder),
    state: async (folder, path) => fileState(locate(root, folder, path)),
    probe: async (folder, path) => {
      const file = await existingImageFile(root, folder, path);
      if (!file) throw new ImageError("it is not there any more");
      return probe(file);
    },
    probeUpload: probe,
    store: (folder, path, file, hash) => storeImage({ root, folder, path, file, hash }),
    move: async (folder, from, to) => moveStored(root, folder, from, to),
    isShownAsStored: (image) => isShownAsStored(root, image),
    open: async (folder, path) => openImageFile(root, folder, path),
    view: views,
    part: (image, box) => readPart(root, image, box),
    isZip,
    keepZip: (file) => keepZip(zips, file),
    zipMembers: (name) => zipMembers(zips, name, temporary, env.MAX_UPLOAD_MB),
    dropOldZips: (wanted) => dropOldZips(zips, wanted),
    dropZip: async (name) => dropZip(zips, name),
    temporary,
  };
}
