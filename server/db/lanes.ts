import { AsyncLocalStorage } from "node:async_hooks";

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

/** Queue for the connection: requests in order of arrival, then background work. */
export class Lanes {
  private readonly requests: Queued[] = [];
  private readonly others: Queued[] = [];

  /** `now` in milliseconds. */
  constructor(private readonly now = () => performance.now()) {}

  add(waiter: Waiter): void {
    const lane = isInBackground() ? this.others : this.requests;
    lane.push({ waiter, since: this.now() });
  }

  remove(waiter: Waiter): void {
    for (const lane of [this.requests, this.others]) {
      const at = lane.findIndex((queued) => queued.waiter === waiter);
      if (at >= 0) lane.splice(at, 1);
    }
  }

  /** Removes and returns the next waiter; undefined if the queue is empty. */
  next(): Waiter | undefined {
    const [request] = this.requests;
    const [other] = this.others;
    const isOld = other !== undefined && this.now() - other.since > PATIENCE_MS;
    const isOthers = other !== undefined && (!request || (isOld && other.since < request.since));
    return (isOthers ? this.others : this.requests).shift()?.waiter;
  }
}
