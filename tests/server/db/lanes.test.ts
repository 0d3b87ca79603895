import { expect, test } from "vitest";
import { workFor } from "../../../server/base/requester";
import { pglitePool } from "../../../server/db/embedded/pglitePool";
import type { PgliteThread } from "../../../server/db/embedded/pgliteThread";
import { inBackground, Lanes } from "../../../server/db/lanes";

const take = () => undefined;

test("requests overtake background work, each group in order of arrival", () => {
  const lanes = new Lanes();
  const waiters = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, { take, name }]));
  const { a, b, c, d } = waiters as Record<string, { take: () => undefined; name: string }>;
  inBackground(() => lanes.add(a!));
  lanes.add(b!);
  inBackground(() => lanes.add(c!));
  lanes.add(d!);
  expect([lanes.next(), lanes.next(), lanes.next(), lanes.next(), lanes.next()]).toEqual([b, d, a, c, undefined]);
});

test("background work that has waited long is no longer overtaken", () => {
  let now = 0;
  const lanes = new Lanes(() => now);
  const [old, early, late] = [{ take }, { take }, { take }];
  lanes.add(early);
  inBackground(() => lanes.add(old));
  now = 5_000;
  lanes.add(late);
  expect([lanes.next() === early, lanes.next() === old, lanes.next() === late]).toEqual([true, true, true]);
});

test("users take turns", () => {
  const lanes = new Lanes();
  const [a1, a2, a3, b1] = [{ take }, { take }, { take }, { take }];
  workFor("ann", () => [a1, a2, a3].map((waiter) => lanes.add(waiter)));
  workFor("bob", () => lanes.add(b1));
  expect([lanes.next() === a1, lanes.next() === b1, lanes.next() === a2, lanes.next() === a3]).toEqual(
    Array(4).fill(true),
  );
});

test("a caller that gives up waiting leaves the queue", () => {
  const lanes = new Lanes();
  const [one, other] = [{ take }, { take }];
  inBackground(() => lanes.add(one));
  lanes.add(other);
  lanes.remove(one);
  lanes.remove(other);
  expect(lanes.next()).toBeUndefined();
});

test("on the embedded database, a request is served before a task's next statement", async () => {
  const requested: string[] = [];
  const thread: PgliteThread = {
    query: async (sql) => {
      requested.push(sql);
      return { rows: [], fields: [] };
    },
    dump: async () => new ArrayBuffer(0),
    close: async () => undefined,
    terminate: () => undefined,
  };
  const pool = pglitePool({ current: () => thread, close: async () => undefined });
  const ask = async (sql: string) => {
    const client = await pool.connect();
    await client.query(sql, []);
    client.release();
  };
  const work = inBackground(() => Promise.all(["slice 1", "slice 2", "slice 3"].map(ask)));
  await Promise.all([work, ask("save")]);
  expect(requested).toEqual(["slice 1", "save", "slice 2", "slice 3"]);
});
