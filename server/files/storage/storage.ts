import type { Readable } from "node:stream";
import type { ListedFile } from "../paths/listFiles";
import type { FileState, OpenFile } from "../paths/openImageFile";

/**
 * The port to the place that keeps an installation's files. Code above it knows no paths of stored files and no keys of
 * objects; temporary files are always on the local disk.
 */
export interface Storage {
  images: ImageStorage;
  trash: TrashStorage;
  views: ViewStorage;
  uploads: NamedFiles;
  exports: NamedFiles;
  zips: NamedFiles;
  /** Throws ConfigurationError unless files can be listed, written, read and removed. */
  check(): Promise<void>;
  /** Throws ConfigurationError if these are the files of another installation. */
  claim(installation: string, how: Claim): Promise<void>;
  /** Leaves the files to the next installation that claims them. */
  release(): Promise<void>;
  /** Removes remains of writes that began at least `minAgeMs` milliseconds ago and were never completed. */
  tidy(minAgeMs: number): Promise<void>;
}

/** "mark" also marks files that belong to no installation, "adopt" those of another one. */
export type Claim = "check" | "mark" | "adopt";

/** Result of storing. `same`, `different`: the path has a file with the same or other bytes, which stays unchanged. */
export type Stored = "stored" | "same" | "different";

/**
 * Result of a move. `taken`: the target path is in use; `gone`: the file does not exist. In both cases nothing changed.
 */
export type Moved = "moved" | "taken" | "gone";

/** A stored file on the local disk: the file itself, or a copy. Call `release` when it is no longer read. */
export interface LocalFile {
  path: string;
  /** Size and time of the stored file, if this is a copy of it. */
  stored?: FileState;
  release(): Promise<void>;
}

/** The datasets' image files; see ImageFiles for `folder` and `path`. */
export interface ImageStorage {
  /** Returns the names of all datasets' folders. */
  folders(): Promise<string[]>;
  makeFolder(datasetName: string, isTaken: (folder: string) => Promise<boolean>): Promise<string>;
  listFiles(folder: string): AsyncGenerator<ListedFile>;
  state(folder: string, path: string): Promise<FileState | undefined>;
  open(folder: string, path: string): Promise<OpenFile | undefined>;
  /**
   * Returns the file on the local disk; undefined if it does not exist. A copy has at least the first `bytes` bytes if
   * given, otherwise all.
   */
  local(folder: string, path: string, bytes?: number): Promise<LocalFile | undefined>;
  /** Moves an uploaded local file, whose SHA-256 is `hash`, to its path, all or nothing. Never overwrites a file. */
  store(folder: string, path: string, file: string, hash: string): Promise<Stored>;
  /** Moves a file within its dataset, all or nothing. Never overwrites another file. */
  move(folder: string, from: string, to: string): Promise<Moved>;
}

/** Entries of the trash: files with their paths inside their former dataset; see Trash. */
export interface TrashStorage {
  discard(entry: string, folder: string, path: string, options: { durable: boolean }): Promise<boolean>;
  putBack(entry: string, folder: string, isWanted: (path: string) => Promise<boolean>): Promise<void>;
  removeEmptyFolders(folder: string): Promise<void>;
  entries(): Promise<StoredFile[]>;
  remove(entry: string): Promise<void>;
}

/** Rendered images by name: a cache that may be emptied at any time. */
export interface ViewStorage {
  /** Returns a small view as a whole; undefined if it is not there. */
  read(name: string): Promise<Buffer | undefined>;
  open(name: string): Promise<OpenFile | undefined>;
  /** Stores the file that `write` writes to the given local path, all or nothing; `flush` flushes it to disk. */
  keep(name: string, write: (to: string) => Promise<void>, options?: { flush?: boolean }): Promise<void>;
  remove(name: string): Promise<void>;
}

export interface StoredFile {
  name: string;
  modifiedMs: number;
}

/** Files of one kind, without folders. */
export interface NamedFiles {
  list(): Promise<StoredFile[]>;
  /** Returns size and time of a file; undefined if it does not exist. */
  state(name: string): Promise<FileState | undefined>;
  open(name: string): Promise<OpenFile | undefined>;
  /** Streams a file. Its errors, also that the file is missing, are those of the stream. */
  stream(name: string): Readable;
  /** Returns the file on the local disk; undefined if it does not exist. */
  local(name: string): Promise<LocalFile | undefined>;
  /** Moves a local file here. */
  keep(name: string, file: string): Promise<void>;
  /** Writes a file, all or nothing. If several callers write the same file, the first to finish wins. */
  write(name: string, chunks: AsyncIterable<string | Uint8Array>): Promise<{ bytes: number }>;
  remove(name: string): Promise<void>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const ENTRY = /^[a-z]+-\d+$/;

/** Returns the name of a stored file. Names come from our own tables; the check is a second line of defence. */
export function checkedName(name: string): string {
  if (!NAME.test(name)) throw new Error("Not the name of a stored file");
  return name;
}

/** Returns true for the name of an entry of the trash. */
export const isEntry = (name: string): boolean => ENTRY.test(name);

/** Returns the name of an entry of the trash. */
export function checkedEntry(entry: string): string {
  if (!isEntry(entry)) throw new Error("Not the name of an entry of the trash");
  return entry;
}
