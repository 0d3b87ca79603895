/** A gap between two inputs that is longer is idle time. */
export const IDLE_MS = 60_000;
/** So much of an idle gap counts: somebody has looked at the image before leaving it. */
export const LOOK_MS = 5_000;

/**
 * A clock that runs while somebody works: from input to input, not through idle gaps, not while it is paused. Both
 * readings and `now` are milliseconds of a monotonic clock.
 */
export class Attention {
  private worked = 0;
  private last: number;
  private isPaused = false;

  constructor(private readonly now: () => number) {
    this.last = now();
  }

  /** Somebody has used the pointer or the keys. */
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

  /** Milliseconds worked so far. An idle gap that has not ended counts as if it ended now. */
  get reading(): number {
    if (this.isPaused) return this.worked;
    const gap = Math.max(0, this.now() - this.last);
    return this.worked + (gap > IDLE_MS ? LOOK_MS : gap);
  }
}
