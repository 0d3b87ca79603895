import { endsWithin } from "../../shared/async/timeLimit";

export interface RecentValueOptions {
  /** Milliseconds within which a value must be read. */
  limitMs: number;
  /** Milliseconds for which a value, or the failure to read it, is reused. */
  freshMs: number;
  /** Returns a time in milliseconds. */
  now?: () => number;
}

/** A value that is read once for many that ask for it, so that they, however many, cannot load its source. */
export class RecentValue<T> {
  private latest: { until: number; value: Promise<T | undefined> } | undefined;
  private reading: Promise<T> | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly options: RecentValueOptions,
  ) {}

  /** Returns the value; undefined if it could not be read, or not in time. */
  get(): Promise<T | undefined> {
    const { freshMs, now = () => performance.now() } = this.options;
    if (this.latest && this.latest.until > now()) return this.latest.value;
    const value = this.readInTime();
    this.latest = { until: Number.POSITIVE_INFINITY, value };
    return value.finally(() => {
      this.latest = { until: now() + freshMs, value };
    });
  }

  private async readInTime(): Promise<T | undefined> {
    // A reading that still hangs is waited for again: each new one would hold another connection.
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    const { reading } = this;
    const isRead = await endsWithin(this.options.limitMs, reading).catch(() => false);
    if (isRead) return reading;
    reading.catch(() => undefined);
    return undefined;
  }
}
