import type { Remote } from "comlink";
import type { Life } from "../../../workers/life";
import { uuid } from "../uuid";

/** Milliseconds that a worker may stay silent. */
export interface Patience {
  /** While its code is loaded. */
  starting: number;
  /** While it has nothing to do. */
  idle: number;
  /** While it computes: longer than the heaviest computation takes on a slow machine. */
  busy: number;
}

export const PATIENCE: Patience = { starting: 30_000, idle: 3_000, busy: 60_000 };

/** Milliseconds between two signs of life. */
const EVERY_MS = 1_000;
/** Time to read messages that queued up while the page itself was blocked. */
const GRACE_MS = 500;

/**
 * Watches a worker for signs of life. Browsers report neither a worker that closed itself or ran out of memory nor one
 * that computes forever. Where the browser has locks, the worker's end releases a lock that it holds; elsewhere its
 * silence during a call shows it.
 */
export class WorkerLife {
  /** Calls under way. */
  private calls = 0;
  /** Increases when a first call begins, which ends the older watch. */
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

  /** To be called before each call, so that the worker gives a sign before it computes. */
  begin(): void {
    if (this.calls++ === 0) void this.watch(++this.watches);
  }

  /** To be called when a call is answered. */
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
      if (!(await this.answers(patience))) return this.over(silence);
      patience = this.patience.busy;
      silence = "hung";
      await pause(EVERY_MS);
    }
  }

  /** Returns false after so long a silence. Any answer is a sign of life. */
  private async answers(ms: number): Promise<boolean> {
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
