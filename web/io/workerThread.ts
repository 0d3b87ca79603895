import { type Remote, wrap } from "comlink";

const FAILED = "The background computation has failed. Please try again.";

/**
 * A worker that is started by the first call and, should it crash, again by the next one. No call waits forever: what is
 * under way when the worker crashes or is closed rejects.
 */
export class WorkerThread<Functions> {
  private running: { worker: Worker; functions: Remote<Functions> } | null = null;
  private readonly pending = new Set<(reason: Error) => void>();
  private isClosed = false;

  constructor(private readonly start: () => Worker) {}

  /** What the function of the worker answers. Rejects with its error, or with one for people to read. */
  async call<T>(ask: (functions: Remote<Functions>) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new Error("The background computation was ended.");
    const { functions } = this.run();
    return new Promise<T>((resolve, reject) => {
      this.pending.add(reject);
      const settle = () => this.pending.delete(reject);
      ask(functions).then(resolve, reject).finally(settle);
    });
  }

  close(): void {
    this.isClosed = true;
    this.stop("The background computation was ended.");
  }

  private run() {
    if (this.running) return this.running;
    const worker = this.start();
    const stop = () => {
      if (this.running?.worker === worker) this.stop(FAILED);
    };
    worker.addEventListener("error", stop);
    worker.addEventListener("messageerror", stop);
    this.running = { worker, functions: wrap<Functions>(worker) };
    return this.running;
  }

  private stop(reason: string): void {
    this.running?.worker.terminate();
    this.running = null;
    const rejects = [...this.pending];
    this.pending.clear();
    for (const reject of rejects) reject(new Error(reason));
  }
}
