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
import { type ListedFile, listFiles } from "./paths/listFiles";
import { existingImageFile, type FileState, fileState, type OpenFile, openImageFile } from "./paths/openImageFile";
import { locate } from "./paths/safePath";
import { makeTemporaryFiles, type TemporaryFiles } from "./paths/temporaryFiles";
import { type Moved, moveStored } from "./store/moveStored";
import { type Stored, storeImage } from "./store/storeImage";
import { dropOldZips, dropZip, isZip, keepZip, type ZipMember, zipMembers } from "./zip/zip";

/**
 * The datasets' image files. `folder` is a dataset's folder (the column of that name), `path` is an image's path inside
 * it, with `/`. Code outside server/files does not know their location. Throws ImageError if a file is not a supported
 * image, HttpError for problems with the request or the disk.
 */
export interface ImageFiles {
  /**
   * Creates the folder for a new dataset, named after it, and returns the folder's name. An existing folder that
   * belongs to no dataset (`isTaken`, which ignores case) is adopted with its contents.
   */
  makeFolder(datasetName: string, isTaken: (folder: string) => Promise<boolean>): Promise<string>;
  /**
   * Lists all regular files, including those that are not images. Throws MissingFolder if the folder cannot be read.
   */
  listFiles(folder: string): AsyncGenerator<ListedFile>;
  /** Returns size and time of a file; undefined if it does not exist. */
  state(folder: string, path: string): Promise<FileState | undefined>;
  /** Returns type, size and hash of an image in its dataset's folder. */
  probe(folder: string, path: string): Promise<ImageFacts>;
  /** Returns type, size and hash of an uploaded file. */
  probeUpload(file: string): Promise<ImageFacts>;
  /**
   * Moves an uploaded file to its path, all or nothing; it is flushed to disk when the promise resolves. Never
   * overwrites a file: the result says whether an existing file at the path has the same bytes.
   */
  store(folder: string, path: string, file: string, hash: string): Promise<Stored>;
  /**
   * Moves a stored file within its dataset's folder, all or nothing, flushed to disk; never overwrites another file.
   */
  move(folder: string, from: string, to: string): Promise<Moved>;
  /** Returns true if browsers show the stored file as the server decodes it; otherwise they get its view. */
  isShownAsStored(image: TurnedSource): Promise<boolean>;
  /** Opens the stored file; returns undefined if it does not exist. */
  open(folder: string, path: string): Promise<OpenFile | undefined>;
  /**
   * Returns the upright image, as a JPEG of at most this size or as a PNG of full size; undefined if the file does not
   * exist. Common sizes are cached.
   */
  view(image: StoredImage, size: ViewSize): Promise<View | undefined>;
  /** Returns the pixels of a box of the upright image. Throws ImageError if they cannot be read. */
  part(image: SizedSource, box: PixelBox): Promise<PixelPart>;
  /** Returns true if an uploaded file is a zip, according to its first bytes. */
  isZip(file: string): Promise<boolean>;
  /** Moves an uploaded zip to the kept zips, where it stays until a task has read it; returns its name. */
  keepZip(file: string): Promise<string>;
  /** Extracts the files of a kept zip one after another, each to a temporary file. */
  zipMembers(name: string): AsyncGenerator<ZipMember>;
  dropZip(name: string): Promise<void>;
  /** Deletes zips left by cancelled tasks; `wanted` has the names that tasks still need. */
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
    listFiles: (folder) => listFiles(root, folder),
    state: async (folder, path) => fileState(locate(root, folder, path)),
    probe: async (folder, path) => {
      const file = await existingImageFile(root, folder, path);
      if (!file) throw new ImageError("it no longer exists");
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
