import { t } from "@lingui/core/macro";
import { proxy } from "comlink";
import { SerialQueue } from "../../../shared/async/serialQueue";
import { unpackRings } from "../../../shared/geometry/packed";
import type { DextrFunctions, DextrSetup } from "../../../workers/dextrWorker";
import type { Opened, Segmented } from "../../../workers/functions/dextr";
import { abortable } from "../http/abortable";
import { newest } from "../http/newest";
import { WorkerStopped, WorkerThread } from "../workers/workerThread";
import type { DextrImage, DextrRequest, DextrResult } from "./dextr";
import { type DextrRuntime, RuntimeFailed } from "./dextrRuntime";

/** Time limits for an outline, in milliseconds, on real hardware and on a simulated graphics card. */
const HANG_MS = 20_000;
const SIMULATED_HANG_MS = 120_000;
/** Time limits for an idle worker, for opening without progress, and for loading an image, in milliseconds. */
const IDLE_MS = 3000;
const OPENING_MS = 60_000;
const IMAGE_MS = 75_000;
/** Time that an aborted run has to end before the worker is stopped, in milliseconds. */
const LINGER_MS = 1000;

/** Time limits of the thread. Longer than the limits of the calls below, so that the calls' limits apply first. */
const LONGER_PATIENCE = { starting: SIMULATED_HANG_MS, idle: 2 * IDLE_MS, busy: 2 * SIMULATED_HANG_MS };

const hung = (): string => t`DEXTR did not respond in time and was restarted.`;
const openingHung = (): string => t`it did not start in time`;
const unresponsive = (): string => t`DEXTR has stopped responding.`;
const restarted = (): string => t`DEXTR had stopped unexpectedly and was restarted.`;
const aborted = (): string => t`The computation was aborted.`;

/** Ports of the worker. */
export interface DextrWorkerPorts {
  start(): Worker;
  /**
   * Returns the model to load, its input size, and if a software adapter is acceptable. Called at each worker start.
   */
  setup(): Promise<Omit<DextrSetup, "runtime">>;
  /** Called with the bytes of runtime and model loaded so far; null when loading has ended or failed. */
  onLoad(progress: { received: number; total: number } | null): void;
  /** Called after a restart, if the worker stopped while no call was running. The message is shown to the user. */
  onRestart(message: string): void;
}

/**
 * Runs the DEXTR network in a Web Worker, and replaces the worker if it crashes or hangs. Computes one outline at a
 * time.
 */
export class DextrWorker implements DextrRuntime {
  private readonly thread: WorkerThread<DextrFunctions>;
  private opening: Promise<Opened> | null = null;
  private opened: Opened | null = null;
  private readonly turns = new SerialQueue();
  private isRunning = false;
  /** True if the worker stopped unexpectedly and this has not been reported. */
  private isLost = false;

  constructor(
    readonly name: "webgpu" | "wasm",
    private readonly ports: DextrWorkerPorts,
  ) {
    this.thread = new WorkerThread(ports.start, {
      onStop: (reason) => {
        this.isLost = reason !== aborted();
        this.opening = null;
        this.opened = null;
      },
      patience: LONGER_PATIENCE,
    });
  }

  async open(image?: DextrImage): Promise<string> {
    if (image && !this.opened) void this.preload(image).catch(() => undefined);
    return describeRuntime(this.name, await this.ready());
  }

  measure(): Promise<number> {
    return this.turns.add(() => this.limited(this.hangMs, hung(), () => this.thread.call((to) => to.measure())));
  }

  async preload({ address }: DextrImage): Promise<void> {
    await this.limited(IMAGE_MS, hung(), () => this.thread.call((to) => to.hold(address)));
  }

  async predict(image: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<DextrResult> {
    const segmented = this.turns.add(async () => {
      await abortable(signal, this.prepare(image));
      return this.run(image, request, signal);
    });
    try {
      return this.resultOf(await abortable(signal, segmented));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WorkerStopped) {
        this.isLost = false;
        throw new RuntimeFailed(error.message);
      }
      if (!(error instanceof Error) || error.name !== "OnnxError") throw error;
      // The worker's memory may be corrupt.
      this.stop();
      throw new RuntimeFailed(error.message);
    }
  }

  release(): void {
    if (this.opened) void this.thread.call((to) => to.release()).catch(() => undefined);
  }

  stop(): void {
    this.thread.restart(aborted());
  }

  private get hangMs(): number {
    return this.opened?.isSoftware ? SIMULATED_HANG_MS : HANG_MS;
  }

  private ready(): Promise<Opened> {
    this.opening ??= this.load();
    return this.opening;
  }

  private async load(): Promise<Opened> {
    try {
      const setup = { ...(await this.ports.setup()), runtime: this.name };
      const patience = setup.mayBeSoftware ? SIMULATED_HANG_MS : OPENING_MS;
      const opened = await this.limited(patience, openingHung(), (isAlive) => {
        const onLoad = proxy((received: number, total: number) => {
          isAlive();
          this.ports.onLoad({ received, total });
        });
        return this.thread.call((to) => to.open(setup, onLoad));
      });
      this.opened = opened;
      if (this.isLost) this.ports.onRestart(restarted());
      this.isLost = false;
      return opened;
    } catch (error) {
      // Frees the memory of what was loaded so far.
      this.opening = null;
      this.stop();
      this.isLost = false;
      throw error;
    } finally {
      this.ports.onLoad(null);
    }
  }

  /** Ensures that the worker responds and has loaded the network and the image. */
  private async prepare(image: DextrImage): Promise<void> {
    // Nothing is being computed now, so a worker that does not respond has died.
    if (this.opened)
      await this.limited(IDLE_MS, unresponsive(), () => this.thread.call((to) => to.ping())).catch(() => undefined);
    await this.ready();
    await this.preload(image);
  }

  /** Computes an outline, which cannot be interrupted. If it continues long after an abort, the worker is stopped. */
  private async run({ address }: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<Segmented> {
    let lingering: ReturnType<typeof setTimeout> | undefined;
    const abort = () => {
      lingering = setTimeout(() => this.thread.restart(aborted()), LINGER_MS);
    };
    signal.addEventListener("abort", abort, { once: true });
    this.isRunning = true;
    try {
      return await this.limited(this.hangMs, hung(), () => this.thread.call((to) => to.segment(address, request)));
    } finally {
      this.isRunning = false;
      clearTimeout(lingering);
      signal.removeEventListener("abort", abort);
    }
  }

  private resultOf({ rings, prediction }: Segmented): DextrResult {
    const ask = async (threshold: number) => {
      const limit = this.isRunning ? this.hangMs : IDLE_MS;
      return this.limited(limit, hung(), () => this.thread.call((to) => to.outline(prediction, threshold)));
    };
    const outline = newest(async (threshold: number) => {
      // Tracing an outline does not need the network, so a new worker can do it at once.
      const packed = await ask(threshold).catch((error) => {
        if (error instanceof WorkerStopped) return ask(threshold);
        throw error;
      });
      return unpackRings(packed);
    });
    return { rings: unpackRings(rings), runtime: this.name, outline };
  }

  /** Makes a call. Stops the worker, which rejects the call, if `isAlive` is not called for `ms` milliseconds. */
  private limited<T>(ms: number, reason: string, ask: (isAlive: () => void) => Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isAlive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.thread.restart(reason), ms);
    };
    isAlive();
    return ask(isAlive).finally(() => clearTimeout(timer));
  }
}

function describeRuntime(name: "webgpu" | "wasm", { threads, adapter, isSoftware }: Opened): string {
  if (name === "webgpu")
    return isSoftware ? t`WebGPU on ${adapter}, which is simulated and slow` : t`WebGPU on ${adapter}`;
  if (threads > 1) return t`WebAssembly with ${threads} threads`;
  return crossOriginIsolated
    ? t`WebAssembly with one thread`
    : t`WebAssembly with one thread (more threads need https or localhost)`;
}
