import { describe, expect, test } from "vitest";
import { makeTurns } from "../../../server/onnx/turns";

/** Returns work that ends on request. */
function makeWork() {
  let end = () => {};
  const done = new Promise<string>((resolve) => {
    end = () => resolve("done");
  });
  return { work: () => done, end };
}

const stays = () => new AbortController().signal;
const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error) => error.status,
  );

describe("turns", () => {
  test("calls run in order of arrival, one at a time", async () => {
    const turns = makeTurns(4);
    const order: string[] = [];
    let running = 0;
    const work = (name: string) => async () => {
      expect(++running).toBe(1);
      await Promise.resolve();
      order.push(name);
      running--;
    };
    await Promise.all(["a", "b", "c", "d", "e"].map((name, user) => turns.take(user, stays(), work(name))));
    expect(order).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("turns reject only the caller whose work failed", async () => {
    const turns = makeTurns(4);
    const failing = turns.take(1, stays(), () => Promise.reject(new Error("mine")));
    const next = turns.take(2, stays(), async () => "fine");
    await expect(failing).rejects.toThrow("mine");
    expect(await next).toBe("fine");
  });

  test("turns refuse a caller when all places are taken, with the time to retry", async () => {
    const turns = makeTurns(2);
    const first = makeWork();
    const calls = [
      turns.take(1, stays(), first.work),
      turns.take(2, stays(), async () => 2),
      turns.take(3, stays(), async () => 3),
    ];
    await expect(turns.take(4, stays(), async () => 4)).rejects.toMatchObject({
      status: 429,
      headers: { "Retry-After": expect.stringMatching(/^[1-9]\d*$/) },
    });
    first.end();
    expect(await Promise.all(calls)).toEqual(["done", 2, 3]);
    expect(await turns.take(4, stays(), async () => 4)).toBe(4);
  });

  test("turns give the waiting call's place to the same user's newer call, even in a full queue, and let the running call continue", async () => {
    const turns = makeTurns(2);
    const first = makeWork();
    const order: string[] = [];
    const note = (name: string) => async () => void order.push(name);
    const running = turns.take(1, stays(), first.work);
    const older = settled(turns.take(2, stays(), note("older")));
    const other = turns.take(3, stays(), note("other"));
    const newer = turns.take(2, stays(), note("newer"));
    expect(await older).toBe(409);
    const own = settled(turns.take(1, stays(), note("own")));
    expect(await own).toBe(429);
    first.end();
    await Promise.all([running, other, newer]);
    expect(order).toEqual(["newer", "other"]);
  });

  test("turns drop a caller that leaves while waiting, and give the place to others", async () => {
    const turns = makeTurns(1);
    const first = makeWork();
    const leaving = new AbortController();
    let ran = false;
    const running = turns.take(1, stays(), first.work);
    const left = settled(
      turns.take(2, leaving.signal, async () => {
        ran = true;
      }),
    );
    leaving.abort();
    expect(await left).toBe(408);
    const third = turns.take(3, stays(), async () => "third");
    first.end();
    expect([await running, await third, ran]).toEqual(["done", "third", false]);
    expect(await settled(turns.take(4, leaving.signal, async () => 4))).toBe(408);
  });

  test("turns refuse waiting and new callers after closing", async () => {
    const turns = makeTurns(4);
    const first = makeWork();
    const running = turns.take(1, stays(), first.work);
    const waiting = settled(turns.take(2, stays(), async () => 2));
    turns.close();
    expect(await waiting).toBe(503);
    expect(await settled(turns.take(3, stays(), async () => 3))).toBe(503);
    first.end();
    expect(await running).toBe("done");
  });
});
