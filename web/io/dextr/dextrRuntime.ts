import type { DextrImage, DextrRequest, DextrResult, Runtime } from "./dextr";

/** A place where the DEXTR network can run. */
export interface DextrRuntime {
  readonly name: Runtime;
  /**
   * Makes the runtime ready; does nothing if it already is. An image starts loading in parallel. Returns a description
   * of the runtime for users. Rejects with the reason if the runtime does not work.
   */
  open(image?: DextrImage): Promise<string>;
  /** Returns the duration of a warm run at the current size, in milliseconds. */
  measure(): Promise<number>;
  /** Loads the image ahead of the first `predict`. */
  preload(image: DextrImage): Promise<void>;
  /**
   * Computes an outline. Rejects with the signal's reason as soon as it is aborted, with `RuntimeFailed` if the runtime
   * crashed or hung (it is then stopped, and the next call starts it again), otherwise with an Error about the request.
   */
  predict(image: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<DextrResult>;
  /** Releases the image. */
  release(): void;
  /** Stops the runtime until the next call. */
  stop(): void;
}

/** Thrown if the runtime crashed, hung or could not compute. Another try, or another runtime, may succeed. */
export class RuntimeFailed extends Error {
  override name = "RuntimeFailed";
}
