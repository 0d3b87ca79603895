/** Milliseconds between tries: doubled after each failure, up to the longest. */
export interface BackOffRange {
  first: number;
  longest: number;
}

/** Delays between tries to reach the server. */
export const SERVER_TRIES: BackOffRange = { first: 1_000, longest: 30_000 };

/** Computes delays that double with each failure, varied by a quarter so that clients do not all return at once. */
export class BackOff {
  private delay: number;

  constructor(private readonly range: BackOffRange = SERVER_TRIES) {
    this.delay = range.first;
  }

  /** Returns the milliseconds to wait after one more failure. */
  next(): number {
    const ms = this.delay * (0.75 + Math.random() / 2);
    this.delay = Math.min(this.delay * 2, this.range.longest);
    return ms;
  }

  /** Starts over with the first delay. */
  reset(): void {
    this.delay = this.range.first;
  }
}
