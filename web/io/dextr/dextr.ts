import type { StoreApi } from "zustand/vanilla";
import type { DextrRequest } from "../../../model/dextr/base/request";
import type { Rings } from "../../../shared/entities/shape";

export type { DextrRequest };

/**
 * Place where the DEXTR network runs: on the graphics card or in WebAssembly, both in a worker of this browser, or on
 * the server.
 */
export type Runtime = "webgpu" | "wasm" | "server";
export type RuntimeChoice = "auto" | Runtime;

/** The image to segment: its id for the server, its absolute address on our own server for the browser. */
export interface DextrImage {
  id: number;
  address: string;
}

/** State shown in the tool's panel. */
export interface DextrStatus {
  /** The user's choice; "auto" uses the fastest runtime that works. Remembered in this browser. */
  choice: RuntimeChoice;
  /** The runtime of the last or next result. Null before the first use. */
  runtime: Runtime | null;
  /** Sentences that explain why this runtime is used; empty before the first use. */
  why: string;
  /** Bytes of runtime and model while they are downloaded; null if nothing is loading. */
  loading: { received: number; total: number } | null;
  /**
   * Message of the last failure, such as a worker that crashed or hung and was restarted. The next success clears it;
   * if the call succeeded in spite of the failure, the success after that.
   */
  error: string | null;
}

/** An outline, and access to outlines of the same points at other thresholds. */
export interface DextrResult {
  /** Polygons with holes in image pixels, unsimplified, at the requested threshold. May be empty. */
  rings: Rings;
  runtime: Runtime;
  /**
   * Returns the outline of the same points at another threshold (0 to 100). Needs no further inference in the browser,
   * but another request if the network runs on the server. Null if a newer call replaced this one before it started.
   * Rejects like `predict`.
   */
  outline(threshold: number): Promise<Rings | null>;
}

/**
 * DEXTR in the best available runtime. One instance serves all images of the page, so that the network stays loaded.
 * Loads nothing before `prepare` or `predict`.
 */
export interface Dextr {
  readonly status: StoreApi<DextrStatus>;
  choose(choice: RuntimeChoice): void;
  /** Loads runtime, model and image ahead of the first call. A failure is reported by the first `predict`. */
  prepare(image: DextrImage): void;
  /**
   * Returns the outline of an object. Rejects with the signal's reason as soon as it is aborted, without delaying the
   * next call. Rejects with an Error whose message is shown to the user if no runtime works, or if a worker crashed or
   * hung; the next call starts a new one.
   */
  predict(image: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<DextrResult>;
  /** Releases the image; the runtime stays loaded. */
  release(): void;
  /** Stops the workers. The next call starts new ones. */
  close(): void;
}
