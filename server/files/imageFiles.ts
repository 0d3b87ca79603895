import type { Env } from "../base/env";
import type { ImageFacts } from "./decode/probe";
import { probe } from "./decode/probe";
import { type PixelBox, type PixelPart, readPart, type SizedSource } from "./decode/readPart";
import { readScaled } from "./decode/readScaled";
import { type StoredImage, withLocalFile } from "./decode/readUpright";
import { isShownAsStored, type TurnedSource } from "./decode/shownAsStored";
import { makeViews, type View, type ViewSize } from "./decode/views";
import type { ListedFile } from "./paths/listFiles";
import type { FileState, OpenFile } from "./paths/openImageFile";
import { fileNameOf } from "./paths/safePath";
import { makeTemporaryFiles, type TemporaryFiles, temporaryFolder } from "./paths/temporaryFiles";
import type { Moved, Storage, Stored } from "./storage/storage";
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
  /**
   * Returns the upright image scaled to `side` x `side` grey pixels. Throws ImageError if it cannot be read to its end.
   */
  grey(image: SizedSource, side: number): Promise<Uint8Array>;
  /** Returns the upright image scaled to `side` x `side` pixels of red, green and blue. Throws as `grey` does. */
  colours(image: SizedSource, side: number): Promise<Uint8Array<ArrayBuffer>>;
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

export function makeImageFiles(storage: Storage, env: Pick<Env, "DATA_DIR" | "MAX_UPLOAD_MB">): ImageFiles {
  const { images, zips } = storage;
  const temporary = makeTemporaryFiles(temporaryFolder(env));
  const views = makeViews(storage);
  return {
    makeFolder: (name, isTaken) => images.makeFolder(name, isTaken),
    listFiles: (folder) => images.listFiles(folder),
    state: (folder, path) => images.state(folder, path),
    probe: (folder, path) =>
      withLocalFile(images, { folder, path }, async (file) => ({
        ...(await probe(file.path, fileNameOf(path))),
        ...file.stored,
      })),
    probeUpload: probe,
    store: (folder, path, file, hash) => images.store(folder, path, file, hash),
    move: (folder, from, to) => images.move(folder, from, to),
    isShownAsStored: (image) => isShownAsStored(images, image),
    open: (folder, path) => images.open(folder, path),
    view: views,
    part: (image, box) => readPart(images, image, box),
    grey: (image, side) => readScaled(images, image, side, { isGrey: true }),
    colours: (image, side) => readScaled(images, image, side, { isGrey: false }),
    isZip,
    keepZip: (file) => keepZip(zips, file),
    zipMembers: (name) => zipMembers(zips, name, temporary, env.MAX_UPLOAD_MB),
    dropOldZips: (wanted) => dropOldZips(zips, wanted),
    dropZip: (name) => dropZip(zips, name),
    temporary,
  };
}
