import type { Kysely } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "../../../server/db/open/database";
import type { Schema } from "../../../server/db/schema";
import { invalidateCachedFigures, staleWhileRevalidate } from "../../../server/features/images/staleWhileRevalidate";
import { shareFigures } from "../../../server/sockets/shareFigures";
import { describeOnServer } from "../../support/databases";
import { startServer } from "../../support/server";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

type Io = Parameters<typeof shareFigures>[0];

/** Two processes, each with its own database object and caches, whose messages arrive at once. */
function twoProcesses() {
  const sent: number[][] = [];
  const receivers: ((ids: number[]) => void)[] = [];
  const start = () => {
    const db = {} as Kysely<Schema>;
    let own: ((ids: number[]) => void) | undefined;
    const io = {
      on: (_: string, receive: (ids: number[]) => void) => {
        own = receive;
        receivers.push(receive);
      },
      serverSideEmit: (_: string, ids: number[]) => {
        sent.push(ids);
        for (const receive of receivers) if (receive !== own) receive(ids);
      },
    };
    return { db, stop: shareFigures(io as unknown as Io, db) };
  };
  return { sent, one: start(), other: start() };
}

/** Caches a figure that takes long to count, so that it stays fresh for seconds. */
async function cacheFigure(db: Kysely<Schema>, datasetId: number, value: number): Promise<number> {
  const slow = () => new Promise<number>((resolve) => setTimeout(() => resolve(value), 200));
  const cached = staleWhileRevalidate(db, datasetId, "images", slow);
  await vi.advanceTimersByTimeAsync(200);
  return cached;
}

test("a change in one process makes the other one count again", async () => {
  const { one, other } = twoProcesses();
  expect(await cacheFigure(other.db, 7, 10)).toBe(10);
  expect(await cacheFigure(other.db, 8, 10)).toBe(10);
  expect(await cacheFigure(other.db, 7, 11)).toBe(10);
  invalidateCachedFigures(one.db, 7);
  expect(await cacheFigure(other.db, 7, 11)).toBe(11);
  expect(await cacheFigure(other.db, 8, 11)).toBe(10);
});

test("many changes are few messages, and the last change is always sent", async () => {
  const { one, sent } = twoProcesses();
  for (let image = 0; image < 2_000; image++) invalidateCachedFigures(one.db, 7);
  invalidateCachedFigures(one.db, 8);
  expect(sent).toEqual([[7]]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual([[7], [7, 8]]);
  await vi.advanceTimersByTimeAsync(1_000);
  invalidateCachedFigures(one.db, 9);
  expect(sent).toEqual([[7], [7, 8], [9]]);
  invalidateCachedFigures(one.db, 10);
  one.stop();
  expect(sent.at(-1)).toEqual([10]);
});

test("a message that was received is not sent on", async () => {
  const { one, sent } = twoProcesses();
  invalidateCachedFigures(one.db, 7);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([[7]]);
});

describeOnServer("cached figures of two servers", (open) => {
  test("a change at one is seen at the other, though its figure is still fresh", async () => {
    vi.useRealTimers();
    const database = await open();
    const second = await openDatabase({ DATABASE_URL: database.url, DATA_DIR: "" });
    const servers = [await startServer(database), await startServer({ ...second, url: database.url })];
    let count = 10;
    const load = () => new Promise<number>((resolve) => setTimeout(() => resolve(count), 150));
    const read = () => staleWhileRevalidate(second.db, 7, "images", load);
    expect(await read()).toBe(10);
    // Keeps the figure fresh, however long the change takes to arrive.
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    count = 11;
    expect(await read()).toBe(10);
    invalidateCachedFigures(database.db, 7);
    await expect.poll(read).toBe(11);
    clock.mockRestore();
    for (const server of servers) await server.close();
    await second.close();
  });
});
