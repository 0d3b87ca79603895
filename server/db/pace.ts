import type { Kysely } from "kysely";
import type { Schema } from "./schema";

/**
 * Milliseconds that a statement or transaction of long work aims at. On the embedded database everybody else waits while
 * it runs.
 */
const SLICE_MS = 20;
/** Weight of the newest measurement. A slow one may be the machine's doing, and small slices cost more in all. */
const NEWEST = { faster: 0.3, slower: 0.1 };

interface Bounds {
  first: number;
  least: number;
  most: number;
}

/** Finds out how much work (rows, characters) fits into one slice, from how long the slices before took. */
export class Pace {
  private perMs: number;

  constructor(private readonly bounds: Bounds) {
    this.perMs = bounds.first / SLICE_MS;
  }

  /** For the next slice. */
  get amount(): number {
    const { least, most } = this.bounds;
    return Math.round(Math.min(most, Math.max(least, this.perMs * SLICE_MS)));
  }

  /** A slice of `amount` took so many milliseconds. */
  took(amount: number, ms: number): void {
    if (amount <= 0) return;
    const perMs = amount / Math.max(0.1, ms);
    this.perMs += (perMs > this.perMs ? NEWEST.faster : NEWEST.slower) * (perMs - this.perMs);
  }

  /** Runs a statement of `amount` on a connection of its own and notes its time, without the wait for the connection. */
  run<T>(db: Kysely<Schema>, amount: number, statement: (one: Kysely<Schema>) => Promise<T>): Promise<T> {
    return db.connection().execute((one) => this.time(amount, () => statement(one)));
  }

  /** Notes how long `work` takes, which has the connection already. */
  async time<T>(amount: number, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.took(amount, performance.now() - start);
    return result;
  }
}
