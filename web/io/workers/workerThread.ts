import { t } from "@lingui/core/macro";
import { type Remote, wrap } from "comlink";
import type { Life } from "../../../workers/life";
import { PATIENCE, type Patience, WorkerLife } from "./workerLife";

const failed = (): string => t`The background computation has failed. Please try again.`;
const hung = (): string => t`The background computation did not respond and was restarted. Please try again.`;
const ended = (): string => t`The background computation was ended.`;

/** Thrown if the worker ended during a call; the next call starts a new one. */
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
  /** Called with the reason when a worker has ended and its data is lost. */
  onStop?: (reason: string) => void;
  patience?: Patience;
}

/**
 * A worker that is started by the first call and, if it dies or hangs, again by the next one. No call waits forever:
 * running calls reject when the worker crashes, disappears, stops responding or is closed.
 */
export class WorkerThread<Functions extends Life> {
  private running: Running<Functions> | null = null;
  /** Reject functions of the running calls. */
  private readonly pending = new Set<(reason: Error) => void>();
  private isClosed = false;

  constructor(
    private readonly start: () => Worker,
    private readonly options: ThreadOptions = {},
  ) {}

  /**
   * Returns the result of the worker's function. Rejects with its error, or with one whose message is shown to the
   * user.
   */
  call<T>(ask: (functions: Remote<Functions>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.isClosed) throw new WorkerStopped(ended());
      const { functions, life } = this.run();
      life.begin();
      const answer = ask(functions);
      this.pending.add(reject);
      const settle = () => {
        life.end();
        this.pending.delete(reject);
      };
      // Runs before the caller continues, because its next call must find the worker idle.
      answer.finally(settle).then(resolve, reject);
    });
  }

  /** Like `call`, for functions that do not depend on earlier calls: if the worker dies, a new one tries once more. */
  callTwice<T>(ask: (functions: Remote<Functions>) => Promise<T>): Promise<T> {
    return this.call(ask).catch((error: unknown) => {
      if (!hasDied(error)) throw error;
      return this.call(ask);
    });
  }

  /** Ends the worker; running calls reject with the reason. The next call starts a new worker. */
  restart(reason: string): void {
    this.stop(new WorkerStopped(reason));
  }

  close(): void {
    this.isClosed = true;
    this.stop(new WorkerStopped(ended()));
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
    const fail = () => stop(new WorkerStopped(failed(), true));
    worker.addEventListener("error", fail);
    worker.addEventListener("messageerror", fail);
    const signs = functions as unknown as Remote<Life>;
    const life = new WorkerLife(signs, this.options.patience ?? PATIENCE, (why) => {
      if (why === "died") fail();
      else stop(new WorkerStopped(hung()));
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

/** Returns true if a call failed because its worker died. */
export const hasDied = (error: unknown): boolean => error instanceof WorkerStopped && error.hasDied;
