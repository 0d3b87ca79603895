import { unavailable } from "../../base/errors";

/** Work waiting for its turn. */
interface Waiting {
  /** Work with the same key (account and address) never runs concurrently. */
  serialKey: string;
  start: () => void;
  refuse: (error: unknown) => void;
}

interface Options {
  /** Number of pieces of work that run concurrently. */
  atOnce: number;
  /**
   * Maximum number of pieces of work that may wait, in total. Beyond that number, the longest lane loses its newest
   * work.
   */
  maxWaiting: number;
  maxInLane: number;
}

/** Work that wants a turn. */
interface TurnRequest {
  /** The requester: an address. */
  lane: string;
  serialKey: string;
  /** True if the correct password was sent from this address before. */
  isKnown?: boolean;
}

/** Lanes of requesters, in the order of their next turns. */
type Lanes = Map<string, Waiting[]>;

/** One turn out of this many goes to unknown requesters first. */
const TURN_OF_OTHERS = 4;

/**
 * Runs pieces of CPU-bound work, a few at the same time. Lanes take turns, so that a requester that sends much work
 * delays only itself; within a lane, work runs in order. Work with the same key runs sequentially, so that each piece
 * of work sees the outcome of the previous one. Known requesters have three turns out of four, and their work is
 * refused last, so that a flood from thousands of addresses does not keep users from logging in at their usual
 * addresses.
 */
export class Turns {
  private readonly known: Lanes = new Map();
  private readonly others: Lanes = new Map();
  private readonly busy = new Set<string>();
  private waiting = 0;
  private started = 0;

  constructor(private readonly options: Options) {}

  /**
   * Runs `work` when its turn comes. Throws 503 if too much is waiting already; waiting work is refused in favour of a
   * lane with less work, so that a few requesters cannot take all places.
   */
  async run<T>(request: TurnRequest, work: () => Promise<T>): Promise<T> {
    await this.turn(request);
    try {
      return await work();
    } finally {
      this.busy.delete(request.serialKey);
      this.advance();
    }
  }

  private turn({ lane, serialKey, isKnown = false }: TurnRequest): Promise<void> {
    const lanes = isKnown ? this.known : this.others;
    const queue = lanes.get(lane) ?? [];
    const isFull = this.waiting >= this.options.maxWaiting;
    if (queue.length >= this.options.maxInLane || (isFull && !this.makeRoom(isKnown, queue.length))) throw tooMuch();
    return new Promise((start, refuse) => {
      queue.push({ serialKey, start, refuse });
      lanes.set(lane, queue);
      this.waiting++;
      this.advance();
    });
  }

  /**
   * Makes room for one more piece of work in a lane with `length` pieces. Refuses the newest work of the longest lane:
   * for a known requester, the longest lane of unknown ones; otherwise a lane that is still as long afterwards as this
   * one. Returns false if there is no such lane.
   */
  private makeRoom(isKnown: boolean, length: number): boolean {
    if (isKnown && this.refuseNewest(this.others, 1)) return true;
    return this.refuseNewest(isKnown ? this.known : this.others, length + 2);
  }

  /** Refuses the newest work of the longest lane, if that has at least `length` pieces of work. */
  private refuseNewest(lanes: Lanes, length: number): boolean {
    let longest: [string, Waiting[]] = ["", []];
    for (const each of lanes) if (each[1].length > longest[1].length) longest = each;
    const [lane, queue] = longest;
    if (queue.length < length) return false;
    queue.pop()?.refuse(tooMuch());
    if (queue.length === 0) lanes.delete(lane);
    this.waiting--;
    return true;
  }

  private advance(): void {
    while (this.busy.size < this.options.atOnce) {
      const isOthersTurn = this.started % TURN_OF_OTHERS === TURN_OF_OTHERS - 1;
      const order = isOthersTurn ? [this.others, this.known] : [this.known, this.others];
      if (!order.some((lanes) => this.startNext(lanes))) return;
      this.started++;
    }
  }

  /** Starts the first work of these lanes whose key is free. Returns false if there is none. */
  private startNext(lanes: Lanes): boolean {
    for (const [lane, queue] of lanes) {
      const at = queue.findIndex(({ serialKey }) => !this.busy.has(serialKey));
      const [next] = at < 0 ? [] : queue.splice(at, 1);
      if (!next) continue;
      this.waiting--;
      // The lane goes to the end of the queue.
      lanes.delete(lane);
      if (queue.length > 0) lanes.set(lane, queue);
      this.busy.add(next.serialKey);
      next.start();
      return true;
    }
    return false;
  }
}

const tooMuch = () => unavailable("Too many users are logging in at the moment. Please try again.");
