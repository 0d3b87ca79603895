import type { Remote } from "comlink";
import type { Life } from "../../../workers/life";
import { uuid } from "../uuid";

/** Times in milliseconds that a worker may go without a sign of life. */
export interface Patience {
  /** While its code is loaded. */
  starting: number;
  /** While it has nothing to do. */
  idle: number;
  /** While it computes: longer than the heaviest computation on a slow machine. */
  busy: number;
}

export const PATIENCE: Patience = { starting: 30_000, idle: 3_000, busy: 60_000 };

/** Time between two signs of life, in milliseconds. */
const EVERY_MS = 1_000;
/** Extra time to read messages that were queued while the page itself was blocked, in milliseconds. */
const GRACE_MS = 500;

/**
 * Watches a worker for signs of life, because browsers report neither a worker that closed itself or ran out of memory
 * nor one that computes forever. If the browser has Web Locks, a dying worker releases a lock that it holds; otherwise
 * its death is noticed by its silence during a call.
 */
export class WorkerLife {
  /** Number of running calls. */
  private calls = 0;
  /** Number of the current watch. Increases when a call begins on an idle worker, which ends the previous watch. */
  private watches = 0;
  private isStarted = false;
  private isOver = false;
  private readonly abort = new AbortController();

  constructor(
    private readonly signs: Remote<Life>,
    private readonly patience: Patience,
    /** Called once, unless `stop` was called before. */
    private readonly onEnd: (why: "died" | "hung") => void,
  ) {
    void this.awaitLock();
  }

  /** Must be called before each call, so that the worker gives a sign before it computes. */
  begin(): void {
    if (this.calls++ === 0) void this.watch(++this.watches);
  }

  /** Must be called when a call has returned. */
  end(): void {
    this.calls--;
  }

  stop(): void {
    this.isOver = true;
    this.abort.abort();
  }

  private async awaitLock(): Promise<void> {
    const name = `worker ${uuid()}`;
    await this.signs.holdLock(name).catch(() => undefined);
    this.isStarted = true;
    if (this.isOver) return;
    const { signal } = this.abort;
    // A request that is aborted rejects.
    await globalThis.navigator?.locks?.request(name, { signal }, () => this.over("died")).catch(() => undefined);
  }

  private async watch(watch: number): Promise<void> {
    let patience = this.isStarted ? this.patience.idle : this.patience.starting;
    let silence: "died" | "hung" = "died";
    while (watch === this.watches && this.calls > 0 && !this.isOver) {
      if (!(await this.respondsWithin(patience))) return this.over(silence);
      patience = this.patience.busy;
      silence = "hung";
      await pause(EVERY_MS);
    }
  }

  /** Returns false if the worker is silent for `ms` milliseconds. Any response, even an error, is a sign of life. */
  private async respondsWithin(ms: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<false>((resolve) => {
      timer = setTimeout(() => {
        timer = setTimeout(() => resolve(false), GRACE_MS);
      }, ms);
    });
    const sign = this.signs.ping().then(
      () => true,
      () => true,
    );
    return Promise.race([sign, silence]).finally(() => clearTimeout(timer));
  }

  private over(why: "died" | "hung"): void {
    if (this.isOver) return;
    this.stop();
    this.onEnd(why);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
