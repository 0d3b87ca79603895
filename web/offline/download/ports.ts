import type { request } from "../../io/http/request";
import type { FileForm } from "../copy/records";

/** A file to download. `part`: what an interrupted download stored, with the ETag of its response. */
export interface FileWish {
  imageId: number;
  form: FileForm;
  /** Width and height of the upright image, in pixels. */
  width: number;
  height: number;
  part: { blob: Blob; tag: string } | null;
  /** Expected size of the file in bytes. */
  bytes: number;
  /** True if the page has probably shown the file a moment ago, so that the browser's cache has it. */
  isShown: boolean;
}

export interface Part {
  blob: Blob;
  tag: string;
}

/**
 * Result of a download. `failed`: `status` is that of the response, 0 if the connection broke or the download was
 * stopped; `part` is what arrived, if it can be resumed. `damaged`: size or hash differ from the ones that the server
 * stated.
 */
export type FetchedFile =
  | { kind: "file"; blob: Blob }
  | { kind: "failed"; status: number; part: Part | null }
  | { kind: "damaged" };

/** Downloads image files. Never rejects for a failed download. */
export interface FileLoader {
  /** `onPart` receives what has arrived of a long file from time to time, to be stored. */
  load(wish: FileWish, onPart: (part: Part) => void, signal: AbortSignal): Promise<FetchedFile>;
  /** Fetches the files of DEXTR into the browser's cache. Rejects if that fails. */
  keepDextr(): Promise<void>;
  close(): void;
}

/** Reachability of the server, as the page knows it. */
export interface Reachability {
  isAway(): boolean;
  /** Calls `listener` on each change. Returns a function that stops it. */
  subscribe(listener: () => void): () => void;
}

/** Interfaces that downloads need. */
export interface DownloadPorts {
  request: typeof request;
  loader: FileLoader;
  reach: Reachability;
}
