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

/** A worker that takes longer for an outline is taken for dead, in milliseconds; on a simulated graphics card later. */
const HANG_MS = 20_000;
const SIMULATED_HANG_MS = 120_000;
/** The same for one that has nothing to do, for one that opens and says nothing, and for one that loads an image. */
const IDLE_MS = 3000;
const OPENING_MS = 60_000;
const IMAGE_MS = 75_000;
/** A run that was aborted may end by itself within this time, so that the worker stays warm. */
const LINGER_MS = 1000;

/** Here each call has its own limit, and those come first. */
const LONGER_PATIENCE = { starting: SIMULATED_HANG_MS, idle: 2 * IDLE_MS, busy: 2 * SIMULATED_HANG_MS };

const HUNG = "The network did not respond in time and was restarted.";
const OPENING_HUNG = "it did not start in time";
const VANISHED = "The network's worker had vanished.";
const RESTARTED = "The network had stopped by itself and was restarted.";
const ABORTED = "This was aborted.";

/** Ports of the worker. */
export interface DextrWorkerPorts {
  start(): Worker;
  /** Returns the network, and whether a software adapter is good enough. Called each time the worker starts. */
  setup(): Promise<Omit<DextrSetup, "runtime">>;
  /** Bytes of runtime and model; null when they are there, or will not come. */
  onLoad(progress: { received: number; total: number } | null): void;
  /** It had stopped while no call was there to fail of it, and runs again. For people. */
  onRestart(message: string): void;
}

/** The network in a worker of this browser, which is replaced where it crashes or hangs. One outline at a time. */
export class DextrWorker implements DextrRuntime {
  private readonly thread: WorkerThread<DextrFunctions>;
  private opening: Promise<Opened> | null = null;
  private opened: Opened | null = null;
  private readonly turns = new SerialQueue();
  private isRunning = false;
  /** It has stopped by itself, and nobody was told. */
  private isLost = false;

  constructor(
    readonly name: "webgpu" | "wasm",
    private readonly ports: DextrWorkerPorts,
  ) {
    this.thread = new WorkerThread(ports.start, {
      onStop: (reason) => {
        this.isLost = reason !== ABORTED;
        this.opening = null;
        this.opened = null;
      },
      patience: LONGER_PATIENCE,
    });
  }

  async open(image?: DextrImage): Promise<string> {
    if (image && !this.opened) void this.hold(image).catch(() => undefined);
    return howOf(this.name, await this.ready());
  }

  measure(): Promise<number> {
    return this.turns.add(() => this.limited(this.hangMs, HUNG, () => this.thread.call((to) => to.measure())));
  }

  async hold({ address }: DextrImage): Promise<void> {
    await this.limited(IMAGE_MS, HUNG, () => this.thread.call((to) => to.hold(address)));
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
      // Its memory may be in any state.
      this.rest();
      throw new RuntimeFailed(error.message);
    }
  }

  release(): void {
    if (this.opened) void this.thread.call((to) => to.release()).catch(() => undefined);
  }

  rest(): void {
    this.thread.restart(ABORTED);
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
      const opened = await this.limited(patience, OPENING_HUNG, (isAlive) => {
        const onLoad = proxy((received: number, total: number) => {
          isAlive();
          this.ports.onLoad({ received, total });
        });
        return this.thread.call((to) => to.open(setup, onLoad));
      });
      this.opened = opened;
      if (this.isLost) this.ports.onRestart(RESTARTED);
      this.isLost = false;
      return opened;
    } catch (error) {
      // Whatever was loaded is of no use any more: free its memory.
      this.opening = null;
      this.rest();
      this.isLost = false;
      throw error;
    } finally {
      this.ports.onLoad(null);
    }
  }

  /** Sees to it that the worker is there, with network and image. */
  private async prepare(image: DextrImage): Promise<void> {
    // Nothing computes now: a worker that does not answer is gone.
    if (this.opened)
      await this.limited(IDLE_MS, VANISHED, () => this.thread.call((to) => to.ping())).catch(() => undefined);
    await this.ready();
    await this.hold(image);
  }

  /** Cannot be interrupted. One that goes on for long after it was aborted ends with its worker. */
  private async run({ address }: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<Segmented> {
    let lingering: ReturnType<typeof setTimeout> | undefined;
    const abort = () => {
      lingering = setTimeout(() => this.thread.restart(ABORTED), LINGER_MS);
    };
    signal.addEventListener("abort", abort, { once: true });
    this.isRunning = true;
    try {
      return await this.limited(this.hangMs, HUNG, () => this.thread.call((to) => to.segment(address, request)));
    } finally {
      this.isRunning = false;
      clearTimeout(lingering);
      signal.removeEventListener("abort", abort);
    }
  }

  private resultOf({ rings, prediction }: Segmented): DextrResult {
    const ask = async (threshold: number) => {
      const limit = this.isRunning ? this.hangMs : IDLE_MS;
      return this.limited(limit, HUNG, () => this.thread.call((to) => to.outline(prediction, threshold)));
    };
    const outline = newest(async (threshold: number) => {
      // An outline needs no network: a new worker can draw it at once.
      const packed = await ask(threshold).catch((error) => {
        if (error instanceof WorkerStopped) return ask(threshold);
        throw error;
      });
      return unpackRings(packed);
    });
    return { rings: unpackRings(rings), runtime: this.name, outline };
  }

  /** Ends the worker, which rejects the call, when it gives no sign of life for so long. */
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

function howOf(name: "webgpu" | "wasm", { threads, adapter, isSoftware }: Opened): string {
  if (name === "webgpu") return `WebGPU on ${adapter}${isSoftware ? ", which is simulated and slow" : ""}`;
  if (threads > 1) return `WebAssembly with ${threads} threads`;
  return crossOriginIsolated
    ? "WebAssembly with one thread"
    : "WebAssembly with one thread (more need https or localhost)";
}
