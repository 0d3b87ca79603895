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

/** Work that wants a turn. */
interface TurnRequest {
  /** The requester: an address. */
  lane: string;
  subject: string;
  /** True if the requester's right password came from this address before. */
  isKnown?: boolean;
}

/** Lanes of requesters, in the order of their next turns. */
type Lanes = Map<string, Waiting[]>;

/** Of so many turns in a row, known requesters leave one to others. */
const TURN_OF_OTHERS = 4;

/**
 * Runs CPU-bound work, a few at a time. Lanes take turns, so that a requester that sends much work delays only itself;
 * within a lane, work runs in order. Work on the same subject runs sequentially, so that the outcome of one counts for
 * the next. Known requesters have three turns of four, and their work is refused last, so that a flood from thousands of
 * addresses does not keep users from logging in where they always do.
 */
export class Turns {
  private readonly known: Lanes = new Map();
  private readonly others: Lanes = new Map();
  private readonly busy = new Set<string>();
  private waiting = 0;
  private started = 0;

  constructor(private readonly options: Options) {}

  /**
   * Runs `work` when its turn comes. Throws 503 if too much is waiting already; work that waits is refused in favour of
   * a lane with less, so that a few requesters cannot take all places.
   */
  async run<T>(request: TurnRequest, work: () => Promise<T>): Promise<T> {
    await this.turn(request);
    try {
      return await work();
    } finally {
      this.busy.delete(request.subject);
      this.advance();
    }
  }

  private turn({ lane, subject, isKnown = false }: TurnRequest): Promise<void> {
    const lanes = isKnown ? this.known : this.others;
    const queue = lanes.get(lane) ?? [];
    const isFull = this.waiting >= this.options.maxWaiting;
    if (queue.length >= this.options.maxInLane || (isFull && !this.makeRoom(isKnown, queue.length))) throw tooMuch();
    return new Promise((start, refuse) => {
      queue.push({ subject, start, refuse });
      lanes.set(lane, queue);
      this.waiting++;
      this.advance();
    });
  }

  /**
   * Makes room in a lane with `length` pieces of work, which wants one more. Refuses the newest work of the longest lane:
   * of others for a known requester, else of one that is not shorter afterwards. Returns false if there is none.
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

  /** Starts the first work of these lanes whose subject is free. Returns false if there is none. */
  private startNext(lanes: Lanes): boolean {
    for (const [lane, queue] of lanes) {
      const at = queue.findIndex(({ subject }) => !this.busy.has(subject));
      const [next] = at < 0 ? [] : queue.splice(at, 1);
      if (!next) continue;
      this.waiting--;
      // The lane goes to the end of the line.
      lanes.delete(lane);
      if (queue.length > 0) lanes.set(lane, queue);
      this.busy.add(next.subject);
      next.start();
      return true;
    }
    return false;
  }
}

const tooMuch = () => unavailable("Too many users are logging in at the moment. Please try again.");
