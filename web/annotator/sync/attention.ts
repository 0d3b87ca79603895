/** Gap between two inputs, in milliseconds, above which the gap counts as idle time. */
export const IDLE_MS = 60_000;
/** Milliseconds of an idle gap that count as work, because the user has looked at the image before leaving it. */
export const COUNTED_IDLE_MS = 5_000;

/**
 * A clock of working time: it runs between inputs, but stops in idle gaps and while it is paused. Readings and `now`
 * are milliseconds of a monotonic clock.
 */
export class Attention {
  private worked = 0;
  private last: number;
  private isPaused = false;

  constructor(private readonly now: () => number) {
    this.last = now();
  }

  /** Must be called when the user has used the pointer or a key. */
  input(): void {
    if (this.isPaused) return;
    this.worked = this.reading;
    this.last = this.now();
  }

  pause(): void {
    this.input();
    this.isPaused = true;
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.last = this.now();
  }

  /** Working time so far, in milliseconds. A gap that has not ended counts as if it ended now. */
  get reading(): number {
    if (this.isPaused) return this.worked;
    const gap = Math.max(0, this.now() - this.last);
    return this.worked + (gap > IDLE_MS ? COUNTED_IDLE_MS : gap);
  }
}
