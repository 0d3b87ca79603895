import { type Remote, wrap } from "comlink";

const FAILED = "The background computation has failed. Please try again.";
const ENDED = "The background computation was ended.";

/** The worker was ended while it computed: the next call starts another. */
export class WorkerStopped extends Error {
  override name = "WorkerStopped";
}

interface Running<Functions> {
  worker: Worker;
  functions: Remote<Functions>;
}

/**
 * A worker that is started by the first call and, should it crash, again by the next one. No call waits forever: what is
 * under way when the worker crashes or is closed rejects.
 */
export class WorkerThread<Functions> {
  private running: Running<Functions> | null = null;
  /** How to reject each call that is under way. */
  private readonly pending = new Set<(reason: Error) => void>();
  private isClosed = false;

  /** `onStop` hears that a worker is gone, with all that it held, and why. */
  constructor(
    private readonly start: () => Worker,
    private readonly onStop: (reason: string) => void = () => undefined,
  ) {}

  /** What the function of the worker answers. Rejects with its error, or with one for people to read. */
  call<T>(ask: (functions: Remote<Functions>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.isClosed) throw new WorkerStopped(ENDED);
      const answer = ask(this.run().functions);
      this.pending.add(reject);
      answer.then(resolve, reject).finally(() => this.pending.delete(reject));
    });
  }

  /** Ends the worker; what is under way rejects with the reason. The next call starts another. */
  restart(reason: string): void {
    this.stop(reason);
  }

  close(): void {
    this.isClosed = true;
    this.stop(ENDED);
  }

  private run(): Running<Functions> {
    this.running ??= this.begin();
    return this.running;
  }

  private begin(): Running<Functions> {
    const worker = this.start();
    const stop = () => {
      if (this.running?.worker === worker) this.stop(FAILED);
    };
    worker.addEventListener("error", stop);
    worker.addEventListener("messageerror", stop);
    return { worker, functions: wrap<Functions>(worker) };
  }

  private stop(reason: string): void {
    if (!this.running) return;
    this.running.worker.terminate();
    this.running = null;
    this.onStop(reason);
    for (const reject of this.pending) reject(new WorkerStopped(reason));
    this.pending.clear();
  }
}
