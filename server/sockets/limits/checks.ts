import { setTimeout as wait } from "node:timers/promises";
import type { LiveServer } from "../../live/socketLive";
import { budgetOf } from "./budgetOf";
import { FairGate } from "./fairGate";
import { type Rate, TokenBuckets } from "./tokenBuckets";

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];

/**
 * Rate of access checks per user; a check makes two queries. Checks above the rate wait, and newer requests may replace
 * them.
 */
const CHECKS: Rate = { burst: 100, perSecond: 20 };

/**
 * Limits the concurrent database queries of sockets, with users taking turns, so that connections stay free for calls.
 */
export class Checks {
  private readonly rate = new TokenBuckets<string>(CHECKS);
  private readonly gate: FairGate<string>;

  constructor(atOnce: number) {
    this.gate = new FairGate(atOnce);
  }

  /** Runs the check of an admitted socket when its turn comes. */
  async turn(socket: LiveSocket, work: () => Promise<void>): Promise<void> {
    const budget = budgetOf(socket);
    const ms = this.rate.reserve(budget);
    if (ms > 0) await wait(ms);
    return this.gate.run(budget, work);
  }

  /** Runs the check of a socket that is not yet authenticated; addresses take turns. */
  identify<T>(address: string, work: () => Promise<T>): Promise<T> {
    return this.gate.run(`address ${address}`, work);
  }
}
