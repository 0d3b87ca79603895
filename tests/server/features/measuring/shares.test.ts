import { describe, expect, test } from "vitest";
import { makeShares } from "../../../../server/features/measuring/shares";

/** Work that goes on until `end` is called. */
function makeWork(begun: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    begun.push(name);
    await ended;
  };
  return { work, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("shares of threads", () => {
  test("give nobody two places at once, and let others go before the same taker's next work", async () => {
    const shares = makeShares(2, 8);
    const begun: string[] = [];
    const works = ["ada 1", "ada 2", "ada 3", "bob 1", "carol 1"].map((name) => makeWork(begun, name));
    const all = works.map(({ work }, i) => shares.take(["ada", "ada", "ada", "bob", "carol"][i] ?? "", work));
    await settled();
    expect(begun).toEqual(["ada 1", "bob 1"]);
    works[3]?.end();
    await all[3];
    await settled();
    expect(begun).toEqual(["ada 1", "bob 1", "carol 1"]);
    works[0]?.end();
    await all[0];
    await settled();
    expect(begun).toEqual(["ada 1", "bob 1", "carol 1", "ada 2"]);
    for (const { end } of works) end();
    await Promise.all(all);
  });

  test("refuse with 429 what piles up of one taker, and no other's", async () => {
    const shares = makeShares(1, 2);
    const first = makeWork([], "ada");
    const all = [1, 2, 3].map(() => shares.take("ada", first.work));
    await expect(shares.take("ada", first.work)).rejects.toMatchObject({ status: 429 });
    all.push(shares.take("bob", async () => undefined));
    first.end();
    await Promise.all(all);
  });

  test("drop work that is given up before its turn", async () => {
    const shares = makeShares(1, 2);
    const first = makeWork([], "ada");
    const running = shares.take("ada", first.work);
    const control = new AbortController();
    const given = shares.take("bob", async () => "done", control.signal);
    control.abort(new Error("given up"));
    await expect(given).rejects.toThrow("given up");
    first.end();
    await running;
    expect(await shares.take("bob", async () => "done")).toBe("done");
  });
});
