import { unavailable } from "../../base/errors";

/** Work that waits for its turn. */
interface Waiting {
  /** No two of one subject run at once. */
  subject: string;
  start: () => void;
}

interface Options {
  /** Runs at once. */
  atOnce: number;
  /** Waits at most, in all and of one lane. */
  mostWaiting: number;
  mostInLane: number;
}

/**
 * Gives turns to work that keeps a processor busy. Lanes take turns, so that whoever sends much waits for themselves; in a
 * lane it goes in order. Work on one subject runs one after another: what was found out counts for the next.
 */
export class Turns {
  private readonly lanes = new Map<string, Waiting[]>();
  private readonly busy = new Set<string>();
  private waiting = 0;

  constructor(private readonly options: Options) {}

  /** Throws 503 where too much waits. */
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
    if (this.waiting >= this.options.mostWaiting || queue.length >= this.options.mostInLane)
      throw unavailable("Too many people log in just now. Please try again.");
    return new Promise((start) => {
      queue.push({ subject, start });
      this.lanes.set(lane, queue);
      this.waiting++;
      this.advance();
    });
  }

  private advance(): void {
    for (const [lane, queue] of [...this.lanes]) {
      if (this.busy.size >= this.options.atOnce) return;
      const at = queue.findIndex(({ subject }) => !this.busy.has(subject));
      if (at < 0) continue;
      const [next] = queue.splice(at, 1);
      this.waiting--;
      // Behind the others.
      this.lanes.delete(lane);
      if (queue.length > 0) this.lanes.set(lane, queue);
      if (!next) continue;
      this.busy.add(next.subject);
      next.start();
    }
  }
}
