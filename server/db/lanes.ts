import { AsyncLocalStorage } from "node:async_hooks";
import { FairLine } from "../base/fairLine";

/**
 * Marks background work (tasks, upkeep, backups). On the embedded database's single connection it yields to requests,
 * but only for a limited time: otherwise it would never finish on a busy server.
 */
const background = new AsyncLocalStorage<true>();

/** Runs `work`, and everything it awaits, at background priority. */
export const inBackground = <T>(work: () => T): T => background.run(true, work);

export const isInBackground = (): boolean => background.getStore() === true;

/** Milliseconds after which waiting background work queues like a request, so that it makes progress under load. */
const PATIENCE_MS = 40;

export interface Waiter {
  take: () => void;
}

interface Queued {
  waiter: Waiter;
  since: number;
}

/** Queue for the connection: requests, whose users take turns, then background work. */
export class Lanes {
  private readonly requests = new FairLine<Queued>();
  private readonly others = new FairLine<Queued>();
  private readonly queued = new Map<Waiter, Queued>();

  /** `now` in milliseconds. */
  constructor(private readonly now = () => performance.now()) {}

  add(waiter: Waiter): void {
    const lane = isInBackground() ? this.others : this.requests;
    const queued = { waiter, since: this.now() };
    lane.add(queued);
    this.queued.set(waiter, queued);
  }

  remove(waiter: Waiter): void {
    const queued = this.queued.get(waiter);
    if (!queued) return;
    for (const lane of [this.requests, this.others]) lane.remove(queued);
    this.queued.delete(waiter);
  }

  get size(): number {
    return this.queued.size;
  }

  /** Removes and returns the next waiter; undefined if the queue is empty. */
  next(): Waiter | undefined {
    const request = this.requests.first();
    const other = this.others.first();
    const isOld = other !== undefined && this.now() - other.since > PATIENCE_MS;
    const isOthers = other !== undefined && (!request || (isOld && other.since < request.since));
    const next = (isOthers ? this.others : this.requests).shift();
    if (next) this.queued.delete(next.waiter);
    return next?.waiter;
  }
}
