import { describe, expect, test } from "vitest";
import { makeFairQueue } from "../../../../server/features/measuring/fairQueue";

/** Returns work that runs until `end` is called. */
function makeWork(started: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    started.push(name);
    await ended;
  };
  return { work, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a fair queue", () => {
  test("runs one piece of work of each requester at a time, and lets others go first", async () => {
    const queue = makeFairQueue(2, 8);
    const started: string[] = [];
    const works = ["ada 1", "ada 2", "ada 3", "bob 1", "carol 1"].map((name) => makeWork(started, name));
    const all = works.map(({ work }, i) => queue.run(["ada", "ada", "ada", "bob", "carol"][i] ?? "", work));
    await settled();
    expect(started).toEqual(["ada 1", "bob 1"]);
    works[3]?.end();
    await all[3];
    await settled();
    expect(started).toEqual(["ada 1", "bob 1", "carol 1"]);
    works[0]?.end();
    await all[0];
    await settled();
    expect(started).toEqual(["ada 1", "bob 1", "carol 1", "ada 2"]);
    for (const { end } of works) end();
    await Promise.all(all);
  });

  test("refuses only the requester with too much waiting work, with 429", async () => {
    const queue = makeFairQueue(1, 2);
    const first = makeWork([], "ada");
    const all = [1, 2, 3].map(() => queue.run("ada", first.work));
    await expect(queue.run("ada", first.work)).rejects.toMatchObject({ status: 429 });
    all.push(queue.run("bob", async () => undefined));
    first.end();
    await Promise.all(all);
  });

  test("drops work that is aborted before its turn", async () => {
    const queue = makeFairQueue(1, 2);
    const first = makeWork([], "ada");
    const running = queue.run("ada", first.work);
    const control = new AbortController();
    const given = queue.run("bob", async () => "done", control.signal);
    control.abort(new Error("given up"));
    await expect(given).rejects.toThrow("given up");
    first.end();
    await running;
    expect(await queue.run("bob", async () => "done")).toBe("done");
  });
});
