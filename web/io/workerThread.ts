import { type Remote, wrap } from "comlink";

const FAILED = "The background computation has failed. Please try again.";
const ENDED = "The background computation was ended.";

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

  constructor(private readonly start: () => Worker) {}

  /** What the function of the worker answers. Rejects with its error, or with one for people to read. */
  call<T>(ask: (functions: Remote<Functions>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.isClosed) throw new Error(ENDED);
      const answer = ask(this.run().functions);
      this.pending.add(reject);
      answer.then(resolve, reject).finally(() => this.pending.delete(reject));
    });
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
    this.running?.worker.terminate();
    this.running = null;
    for (const reject of this.pending) reject(new Error(reason));
    this.pending.clear();
  }
}
