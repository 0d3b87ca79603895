/** Time in which simultaneous events are collected. */
const GATHER_MS = 10;

/** Sends collected changes: the first almost immediately, later ones in batches. */
export class Batches {
  private timer: NodeJS.Timeout | undefined;
  private isSending = false;
  private hasMore = false;
  private earliest = 0;
  private hasEnded = false;

  /** `send` returns the minimum delay before the next batch in milliseconds. It must not reject. */
  constructor(private readonly send: () => number | Promise<number>) {}

  /** Schedules a batch. */
  sendSoon(): void {
    this.hasMore = true;
    if (this.hasEnded || this.isSending) return;
    const delay = Math.max(GATHER_MS, this.earliest - performance.now());
    this.timer ??= setTimeout(() => void this.run(), delay);
  }

  stop(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    this.timer = undefined;
    this.isSending = true;
    this.hasMore = false;
    const began = performance.now();
    this.earliest = began + (await this.send());
    this.isSending = false;
    if (this.hasMore) this.sendSoon();
  }
}
