import { setTimeout as wait } from "node:timers/promises";
import type { LiveServer } from "../../live/socketLive";
import { budgetOf } from "./budgetOf";
import { FairGate } from "./fairGate";
import { type Rate, TokenBuckets } from "./tokenBuckets";

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];

/** Of a user: checks of a right, of two queries each. What comes faster waits, and newer wishes supersede it. */
const CHECKS: Rate = { burst: 100, perSecond: 20 };

/** Lets sockets ask the database a few at a time, users in turn, so that calls find connections free. */
export class Checks {
  private readonly rate = new TokenBuckets<string>(CHECKS);
  private readonly gate: FairGate<string>;

  constructor(atOnce: number) {
    this.gate = new FairGate(atOnce);
  }

  /** Of an admitted socket. */
  async turn(socket: LiveSocket, work: () => Promise<void>): Promise<void> {
    const budget = budgetOf(socket);
    const ms = this.rate.reserve(budget);
    if (ms > 0) await wait(ms);
    return this.gate.run(budget, work);
  }

  /** Of those that are yet to say who they are: by address. */
  identify<T>(address: string, work: () => Promise<T>): Promise<T> {
    return this.gate.run(`address ${address}`, work);
  }
}
