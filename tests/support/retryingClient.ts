import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { RequestMore, TestClient } from "./testClient";

/** Statuses that a proxy or a stopping server sends: the same request may succeed in a moment. */
const AGAIN = new Set([0, 502, 503, 504]);
const TRIES = 100;

/** A client that sends a request again until it is answered, as pages and careful scripts do. */
export interface RetryingClient {
  /** Number of repeated requests, by status; 0 is a broken connection. */
  readonly repeated: Map<number, number>;
  /** Returns the status of the first answer that is final. A command keeps its id, so it is done only once. */
  call(method: string, path: string, json?: unknown): Promise<number>;
}

export function retrying(client: TestClient): RetryingClient {
  const repeated = new Map<number, number>();
  return {
    repeated,
    async call(method, path, json) {
      const headers = method === "POST" ? { "X-Limn-Command": randomUUID() } : undefined;
      const more: RequestMore = { ...(json !== undefined && { json }), ...(headers && { headers }) };
      for (let tries = 0; ; tries++) {
        const status = await client.request(method, path, more).then(
          (answer) => answer.status,
          () => 0,
        );
        if (!AGAIN.has(status) || tries === TRIES) return status;
        repeated.set(status, (repeated.get(status) ?? 0) + 1);
        await wait(100);
      }
    },
  };
}
