import { type Remote, wrap } from "comlink";
import type { Life } from "../../../workers/life";
import { PATIENCE, type Patience, WorkerLife } from "./workerLife";

const FAILED = "The background computation has failed. Please try again.";
const HUNG = "The background computation did not respond and was restarted. Please try again.";
const ENDED = "The background computation was ended.";

/** Thrown when the worker ended during a call; the next call starts another. */
export class WorkerStopped extends Error {
  override name = "WorkerStopped";

  constructor(
    message: string,
    /** True if the worker crashed, so that another one may succeed. */
    readonly hasDied = false,
  ) {
    super(message);
  }
}

interface Running<Functions> {
  worker: Worker;
  life: WorkerLife;
  functions: Remote<Functions>;
}

interface ThreadOptions {
  /** Called when a worker is gone, with all that it held, and why. */
  onStop?: (reason: string) => void;
  patience?: Patience;
}

/**
 * A worker that is started by the first call and, if it dies or hangs, again by the next one. No call waits forever: calls
 * under way reject when the worker crashes, vanishes, falls silent or is closed.
 */
export class WorkerThread<Functions extends Life> {
  private running: Running<Functions> | null = null;
  /** Rejects a call that is under way; one entry each. */
  private readonly pending = new Set<(reason: Error) => void>();
  private isClosed = false;

  constructor(
    private readonly start: () => Worker,
    private readonly options: ThreadOptions = {},
  ) {}

  /** Returns what the function of the worker returns. Rejects with its error, or with one for users to read. */
  call<T>(ask: (functions: Remote<Functions>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.isClosed) throw new WorkerStopped(ENDED);
      const { functions, life } = this.run();
      life.begin();
      const answer = ask(functions);
      this.pending.add(reject);
      const settle = () => {
        life.end();
        this.pending.delete(reject);
      };
      // Settled before the caller goes on, whose next call must find the worker idle.
      answer.finally(settle).then(resolve, reject);
    });
  }

  /** As `call`, for a function that depends on no earlier call: if the worker dies, another one tries once more. */
  callTwice<T>(ask: (functions: Remote<Functions>) => Promise<T>): Promise<T> {
    return this.call(ask).catch((error: unknown) => {
      if (!hasDied(error)) throw error;
      return this.call(ask);
    });
  }

  /** Ends the worker; what is under way rejects with the reason. The next call starts another. */
  restart(reason: string): void {
    this.stop(new WorkerStopped(reason));
  }

  close(): void {
    this.isClosed = true;
    this.stop(new WorkerStopped(ENDED));
  }

  private run(): Running<Functions> {
    this.running ??= this.begin();
    return this.running;
  }

  private begin(): Running<Functions> {
    const worker = this.start();
    const functions = wrap<Functions>(worker);
    const stop = (error: WorkerStopped) => {
      if (this.running?.worker === worker) this.stop(error);
    };
    const fail = () => stop(new WorkerStopped(FAILED, true));
    worker.addEventListener("error", fail);
    worker.addEventListener("messageerror", fail);
    const signs = functions as unknown as Remote<Life>;
    const life = new WorkerLife(signs, this.options.patience ?? PATIENCE, (why) => {
      if (why === "died") fail();
      else stop(new WorkerStopped(HUNG));
    });
    return { worker, life, functions };
  }

  private stop(error: WorkerStopped): void {
    if (!this.running) return;
    const { worker, life } = this.running;
    life.stop();
    worker.terminate();
    this.running = null;
    this.options.onStop?.(error.message);
    for (const reject of this.pending) reject(error);
    this.pending.clear();
  }
}

/** True if a call's worker has died of it or beside it. */
export const hasDied = (error: unknown): boolean => error instanceof WorkerStopped && error.hasDied;
