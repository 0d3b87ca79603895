import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Order in which work gets the embedded database's one connection. Work that nobody waits for at a screen (tasks, upkeep, backups)
 * lets requests pass, but not for ever: else it would never end on a busy server.
 */
const background = new AsyncLocalStorage<true>();

/** Runs `work`, and all that it awaits, as work that lets requests pass. */
export const inBackground = <T>(work: () => T): T => background.run(true, work);

export const isInBackground = (): boolean => background.getStore() === true;

/** Milliseconds after which background work waits no longer than a request, so that it has a share where many ask. */
const PATIENCE_MS = 40;

export interface Waiter {
  take: () => void;
}

interface Queued {
  waiter: Waiter;
  since: number;
}

/** The line before the connection: requests first, in their order, then the background. */
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

  /** Takes out who is next; undefined when nobody waits. */
  next(): Waiter | undefined {
    const [request] = this.requests;
    const [other] = this.others;
    const isOld = other !== undefined && this.now() - other.since > PATIENCE_MS;
    const isOthers = other !== undefined && (!request || (isOld && other.since < request.since));
    return (isOthers ? this.others : this.requests).shift()?.waiter;
  }
}
