import type { DextrImage, DextrRequest, DextrResult, Runtime } from "./dextr";

/** One of the places where the network can run. */
export interface DextrRuntime {
  readonly name: Runtime;
  /**
   * Makes it ready; harmless when it is. Returns a description of the runtime for users. Rejects with why it cannot. An
   * image begins to load meanwhile.
   */
  open(image?: DextrImage): Promise<string>;
  /** Milliseconds of a warm run at the size in use. */
  measure(): Promise<number>;
  /** Loads the image ahead. */
  hold(image: DextrImage): Promise<void>;
  /**
   * Rejects with the signal's reason as soon as it is aborted, with a `RuntimeFailed` where the runtime crashed or hung
   * (it has been stopped, the next call starts it again), else with an Error about what was asked.
   */
  predict(image: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<DextrResult>;
  /** Lets go of the image. */
  release(): void;
  /** Ends until the next call. */
  rest(): void;
}

/** The runtime crashed, hung or could not compute: another try may help, another runtime surely. */
export class RuntimeFailed extends Error {
  override name = "RuntimeFailed";
}
