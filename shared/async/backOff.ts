/** Milliseconds between tries that fail. */
const RETRY = { first: 1_000, longest: 30_000 };

/** Tries something again after a failure, later each time, until it succeeds or nobody wants it any more. */
export class BackOff {
  private delay = RETRY.first;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly tryAgain: () => void) {}

  failed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.tryAgain, this.delay * (0.75 + Math.random() / 2));
    this.delay = Math.min(this.delay * 2, RETRY.longest);
  }

  succeeded(): void {
    this.stop();
    this.delay = RETRY.first;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
