import { BackOff, type BackOffRange } from "./backOff";

/** Schedules another try after each failure, with growing delays, until it succeeds or is stopped. */
export class Retry {
  private readonly backOff: BackOff;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly tryAgain: () => void,
    range?: BackOffRange,
  ) {
    this.backOff = new BackOff(range);
  }

  failed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.tryAgain, this.backOff.next());
  }

  succeeded(): void {
    this.stop();
    this.backOff.reset();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
