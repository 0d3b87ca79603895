import type { Kysely } from "kysely";
import type { Schema } from "./schema";

/**
 * Target duration in milliseconds of each statement or transaction of long work. On the embedded database, each one
 * blocks all other queries.
 */
const SLICE_MS = 20;
/**
 * Weight of the newest measurement. Lower for a slower measurement, which may be noise: smaller slices cost more in
 * total.
 */
const NEWEST = { faster: 0.3, slower: 0.1 };

interface Bounds {
  first: number;
  least: number;
  most: number;
}

/** Estimates how much work (rows, characters) fits into one slice, from the durations of previous slices. */
export class Pace {
  private perMs: number;

  constructor(private readonly bounds: Bounds) {
    this.perMs = bounds.first / SLICE_MS;
  }

  /** Amount of work for the next slice. */
  get amount(): number {
    const { least, most } = this.bounds;
    return Math.round(Math.min(most, Math.max(least, this.perMs * SLICE_MS)));
  }

  /** Records that a slice of `amount` took `ms` milliseconds. */
  took(amount: number, ms: number): void {
    if (amount <= 0) return;
    const perMs = amount / Math.max(0.1, ms);
    this.perMs += (perMs > this.perMs ? NEWEST.faster : NEWEST.slower) * (perMs - this.perMs);
  }

  /**
   * Runs a statement of `amount` on its own connection and records its duration, not counting the wait for the
   * connection.
   */
  run<T>(db: Kysely<Schema>, amount: number, statement: (one: Kysely<Schema>) => Promise<T>): Promise<T> {
    return db.connection().execute((one) => this.time(amount, () => statement(one)));
  }

  /** Records the duration of `work`, which already has its connection. */
  async time<T>(amount: number, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.took(amount, performance.now() - start);
    return result;
  }
}
