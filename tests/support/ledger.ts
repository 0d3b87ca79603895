import { setTimeout as wait } from "node:timers/promises";
import type { TestClient } from "./testClient";

/**
 * Users that save without a pause, and the status of each response: 200, another status, or 0 without a response. After
 * Jepsen: a save with 200 must be stored exactly once at the end; any other may or may not be stored.
 */
export interface Ledger {
  readonly statuses: readonly number[];
  /** Names of the acknowledged categories. */
  readonly acknowledged: readonly string[];
  /** Waits for `count` more responses for which `wanted` returns true. */
  more(count: number, wanted: (status: number) => boolean): Promise<void>;
  stop(): Promise<void>;
}

export function startLedger(clients: readonly TestClient[], prefix: string): Ledger {
  const statuses: number[] = [];
  const acknowledged: string[] = [];
  let over = false;
  const write = async (client: TestClient, writer: number) => {
    for (let n = 0; !over; n++) {
      const name = `${prefix} ${writer} ${n}`;
      const status = await client.post("category/", { name }).then(
        (answer) => answer.status,
        () => 0,
      );
      statuses.push(status);
      if (status === 200) acknowledged.push(name);
      else await wait(20);
    }
  };
  const writing = clients.map(write);
  return {
    statuses,
    acknowledged,
    async more(count, wanted) {
      const from = statuses.length;
      while (statuses.slice(from).filter(wanted).length < count) await wait(20);
    },
    async stop() {
      over = true;
      await Promise.all(writing);
    },
  };
}

export const isSaved = (status: number) => status === 200;
export const isNotSaved = (status: number) => status !== 200;

/** Returns the acknowledged names that are not stored exactly once. */
export function missingNames({ acknowledged }: Ledger, stored: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of stored) counts.set(name, (counts.get(name) ?? 0) + 1);
  return acknowledged.filter((name) => counts.get(name) !== 1);
}
