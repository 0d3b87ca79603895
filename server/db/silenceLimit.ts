import { withinTime } from "../../shared/async/timeLimit";

/**
 * Limits how long a connection waits for its server. A server that is frozen, or behind a network that drops packets,
 * never responds, so without this limit its queries would never end. After `set local statement_timeout = 0` a
 * transaction has no limit.
 */
export class SilenceLimit {
  /** The reason why the connection can no longer be used. */
  lost: Error | undefined;
  private isEndless = false;

  constructor(private readonly silenceMs: number) {}

  /**
   * Returns the result of `ask`. If there is none in time, rejects like a lost connection, and from then on rejects
   * immediately.
   */
  async limit<T>(query: string, ask: () => Promise<T>): Promise<T> {
    if (this.lost) throw this.lost;
    if (ENDLESS.test(query)) this.isEndless = true;
    if (END.test(query)) this.isEndless = false;
    const result = ask();
    if (this.isEndless) return result;
    return withinTime(this.silenceMs, result, () => {
      this.lost = new Error("Query read timeout");
      return this.lost;
    });
  }
}

const ENDLESS = /^\s*set local statement_timeout = 0/i;
const END = /^\s*(commit|rollback)\s*$/i;
