import type { StoreApi } from "zustand/vanilla";
import type { DextrRequest } from "../../../model/dextr/base/request";
import type { Rings } from "../../../shared/entities/shape";

export type { DextrRequest };

/**
 * The place where the network runs: on the graphics card, in WebAssembly (both in a worker of this browser), or on the
 * server.
 */
export type Runtime = "webgpu" | "wasm" | "server";
export type RuntimeChoice = "auto" | Runtime;

/** The image that is asked about: its number for the server, its address (absolute, of our own server) for the browser. */
export interface DextrImage {
  id: number;
  address: string;
}

/** For people: the panel shows all of it. */
export interface DextrStatus {
  /** The user's choice; "auto" takes the fastest that works. Remembered by this browser. */
  choice: RuntimeChoice;
  /** The runtime of the last or next result. Null before the first use. */
  runtime: Runtime | null;
  /** The reason for this choice, in a sentence; empty before the first use. */
  why: string;
  /** Bytes of runtime and model while they load for the first time; null when there is nothing to wait for. */
  loading: { received: number; total: number } | null;
  /**
   * The last failure (a worker that crashed or hung and was restarted, a runtime that was given up); the next
   * success clears it. Where a call was answered in spite of that, the one after clears it.
   */
  error: string | null;
}

/** An outline, and the way to others of the same points. */
export interface DextrResult {
  /** Polygons with holes in image pixels, unsimplified, by the threshold that was asked for. May be empty. */
  rings: Rings;
  runtime: Runtime;
  /**
   * The outline of the same points by another threshold (0 to 100): without another inference in the browser, by another
   * call of the server there. Null where a newer call of this result came before this one was begun. Rejects as `predict`.
   */
  outline(threshold: number): Promise<Rings | null>;
}

/**
 * DEXTR in whichever runtime is best. One for the page, for all images: what has been loaded stays warm. Nothing is
 * loaded before `prepare` or `predict`.
 */
export interface Dextr {
  readonly status: StoreApi<DextrStatus>;
  choose(choice: RuntimeChoice): void;
  /** Loads runtime, model and image ahead of the first call. A failure is told by the first `predict`. */
  prepare(image: DextrImage): void;
  /**
   * The outline of an object. Rejects with the signal's reason as soon as it is aborted (the next call is not held up by
   * what was aborted), and with an Error for people where no runtime can answer, or where a worker crashed or hung: the
   * next call starts another.
   */
  predict(image: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<DextrResult>;
  /** Lets go of the image; the runtime stays warm. */
  release(): void;
  /** Ends the workers. The next call starts others. */
  close(): void;
}
