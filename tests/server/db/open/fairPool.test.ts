import type { PostgresPool, PostgresPoolClient } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { workFor } from "../../../../server/base/requester";
import { fairPool } from "../../../../server/db/open/fairPool";

afterEach(() => {
  vi.useRealTimers();
});

/** A pool that always has connections, and fails to connect while `isDown`. */
function openPool() {
  const state = { isDown: false };
  const client = { query: async () => ({ rows: [] }), release: () => undefined } as unknown as PostgresPoolClient;
  const connect = async () => {
    if (state.isDown) throw new Error("down");
    return client;
  };
  const pool: PostgresPool = { connect, end: async () => undefined };
  return { state, fair: fairPool(pool, { places: 1, patienceMs: 5_000 }) };
}

test("a user's call does not wait for all calls that another user has sent before", async () => {
  const { fair } = openPool();
  const order: string[] = [];
  const ask = (name: string, user: string) =>
    workFor(user, async () => {
      const client = await fair.connect();
      order.push(name);
      client.release();
    });
  const held = await fair.connect();
  const calls = [...["a1", "a2", "a3"].map((name) => ask(name, "ann")), ask("b1", "bob")];
  held.release();
  await Promise.all(calls);
  expect(order).toEqual(["a1", "b1", "a2", "a3"]);
});

test("a caller that gets no connection in time fails as with pg, and leaves its place to others", async () => {
  vi.useFakeTimers();
  const { fair, state } = openPool();
  const held = await fair.connect();
  const late = expect(fair.connect()).rejects.toThrow("timeout exceeded when trying to connect");
  await vi.advanceTimersByTimeAsync(5_000);
  await late;
  held.release();
  state.isDown = true;
  await expect(fair.connect()).rejects.toThrow("down");
  state.isDown = false;
  await expect(fair.connect()).resolves.toBeDefined();
});
