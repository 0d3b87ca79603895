import { unavailable } from "../../base/errors";

/** Work waiting for its turn. */
interface Waiting {
  /** Work on the same subject never runs concurrently. */
  subject: string;
  start: () => void;
  refuse: (error: unknown) => void;
}

interface Options {
  /** Number of pieces of work that run concurrently. */
  atOnce: number;
  /** Maximum number of pieces of work that may wait, in total. Beyond it, the longest lane loses its newest. */
  maxWaiting: number;
  maxInLane: number;
}

/**
 * Runs CPU-bound work, a few at a time. Lanes take turns, so that a requester that sends much work delays only itself;
 * within a lane, work runs in order. Work on the same subject runs sequentially, so that the outcome of one counts for
 * the next.
 */
export class Turns {
  private readonly lanes = new Map<string, Waiting[]>();
  private readonly busy = new Set<string>();
  private waiting = 0;

  constructor(private readonly options: Options) {}

  /**
   * Runs `work` when its turn comes. Throws 503 if too much is waiting already; work that waits is refused in favour of
   * a lane with less, so that a few requesters cannot take all places.
   */
  async run<T>(lane: string, subject: string, work: () => Promise<T>): Promise<T> {
    await this.turn(lane, subject);
    try {
      return await work();
    } finally {
      this.busy.delete(subject);
      this.advance();
    }
  }

  private turn(lane: string, subject: string): Promise<void> {
    const queue = this.lanes.get(lane) ?? [];
    const isFull = this.waiting >= this.options.maxWaiting;
    if (queue.length >= this.options.maxInLane || (isFull && !this.makeRoom(queue.length))) throw tooMuch();
    return new Promise((start, refuse) => {
      queue.push({ subject, start, refuse });
      this.lanes.set(lane, queue);
      this.waiting++;
      this.advance();
    });
  }

  /**
   * Refuses the newest work of the longest lane. Returns false if that lane would then be shorter than the one with
   * `length` pieces of work, which wants one more.
   */
  private makeRoom(length: number): boolean {
    let longest: Waiting[] = [];
    for (const queue of this.lanes.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length < length + 2) return false;
    longest.pop()?.refuse(tooMuch());
    this.waiting--;
    return true;
  }

  private advance(): void {
    for (const [lane, queue] of [...this.lanes]) {
      if (this.busy.size >= this.options.atOnce) return;
      const at = queue.findIndex(({ subject }) => !this.busy.has(subject));
      if (at < 0) continue;
      const [next] = queue.splice(at, 1);
      this.waiting--;
      // The lane goes to the end of the line.
      this.lanes.delete(lane);
      if (queue.length > 0) this.lanes.set(lane, queue);
      if (!next) continue;
      this.busy.add(next.subject);
      next.start();
    }
  }
}

const tooMuch = () => unavailable("Too many users are logging in at the moment. Please try again.");
