import { withinTime } from "../../shared/async/timeLimit";

/**
 * Longest silence of a connection's server. One that is frozen, or behind a network that swallows everything, never
 * refuses: without an end here its questions would be asked for ever. After `set local statement_timeout = 0` a transaction
 * may take as long as it likes.
 */
export class Patience {
  /** The reason why the connection cannot be used any more. */
  lost: Error | undefined;
  private isEndless = false;

  constructor(private readonly silenceMs: number) {}

  /** The answer of `ask`. Rejects as a lost connection does when none comes, and at once from then on. */
  async answer<T>(query: string, ask: () => Promise<T>): Promise<T> {
    if (this.lost) throw this.lost;
    if (ENDLESS.test(query)) this.isEndless = true;
    if (END.test(query)) this.isEndless = false;
    const answer = ask();
    if (this.isEndless) return answer;
    return withinTime(this.silenceMs, answer, () => {
      this.lost = new Error("Query read timeout");
      return this.lost;
    });
  }
}

const ENDLESS = /^\s*set local statement_timeout = 0/i;
const END = /^\s*(commit|rollback)\s*$/i;
