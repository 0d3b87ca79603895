import { setImmediate as turnOfLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "../../../../server/features/passwords/hashTurns";

/** Returns work that ends on request, and the order in which it started. */
function makeWork(turns: Turns) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (lane: string, serialKey: string, name: string, isKnown = false) =>
    turns.run({ lane, serialKey, isKnown }, async () => {
      began.push(name);
      await new Promise<void>((end) => ends.set(name, end));
    });
  /** Ends the work of this name, and waits until the next has started. Without a name it only waits. */
  const end = async (name = "") => {
    ends.get(name)?.();
    for (let i = 0; i < 3; i++) await turnOfLoop();
  };
  return { began, add, end };
}

test("alternates between lanes, so that a light user waits for one piece of another's work", async () => {
  const { began, add, end } = makeWork(new Turns({ atOnce: 1, maxWaiting: 10, maxInLane: 10 }));
  const all = [add("much", "a", "a1"), add("much", "b", "b1"), add("much", "c", "c1"), add("little", "d", "d1")];
  await end();
  for (const name of ["a1", "b1", "d1", "c1"]) await end(name);
  await Promise.all(all);
  expect(began).toEqual(["a1", "b1", "d1", "c1"]);
});

test("never runs work with one key concurrently, and leaves the free place to others", async () => {
  const { began, add, end } = makeWork(new Turns({ atOnce: 2, maxWaiting: 10, maxInLane: 10 }));
  const all = [add("l", "a", "a1"), add("l", "a", "a2"), add("l", "b", "b1")];
  await end();
  expect(began).toEqual(["a1", "b1"]);
  await end("b1");
  expect(began).toEqual(["a1", "b1"]);
  await end("a1");
  expect(began).toEqual(["a1", "b1", "a2"]);
  await end("a2");
  await Promise.all(all);
});

test("gives a lane with less work the place of the newest work in the longest lane", async () => {
  const { began, add, end } = makeWork(new Turns({ atOnce: 1, maxWaiting: 5, maxInLane: 4 }));
  const all = [add("x", "1", "x1"), ...["x2", "x3", "x4"].map((name) => add("x", name, name))];
  const last = add("x", "x5", "x5");
  all.push(add("y", "y1", "y1"), add("z", "z1", "z1"));
  await expect(last).rejects.toMatchObject({ status: 503 });
  all.push(add("y", "y2", "y2"));
  await expect(all[3]).rejects.toMatchObject({ status: 503 });
  // Both lanes have two now, so neither gives way.
  await expect(add("y", "y3", "y3")).rejects.toMatchObject({ status: 503 });
  for (const name of ["x1", "x2", "y1", "z1", "x3", "y2"]) await end(name);
  expect(began).toEqual(["x1", "x2", "y1", "z1", "x3", "y2"]);
  await Promise.allSettled(all);
});

test("refuses work with 503 if too much is waiting, in its lane or in total", async () => {
  const { add, end } = makeWork(new Turns({ atOnce: 1, maxWaiting: 2, maxInLane: 1 }));
  const all = [add("x", "1", "1"), add("x", "2", "2")];
  await expect(add("x", "3", "3")).rejects.toMatchObject({ status: 503 });
  all.push(add("y", "4", "4"));
  await expect(add("z", "5", "5")).rejects.toMatchObject({ status: 503 });
  for (const name of ["1", "2", "4"]) await end(name);
  await Promise.all(all);
});

test("gives known requesters three turns out of four, however many others wait", async () => {
  const { began, add, end } = makeWork(new Turns({ atOnce: 1, maxWaiting: 20, maxInLane: 10 }));
  const others = ["1", "2", "3", "4"].map((name) => add(`flood ${name}`, name, name));
  const known = ["a", "b", "c", "d", "e"].map((name) => add("office", name, name, true));
  await end();
  for (const name of ["1", "a", "b", "2", "c", "d", "e", "3", "4"]) await end(name);
  await Promise.all([...others, ...known]);
  expect(began).toEqual(["1", "a", "b", "2", "c", "d", "e", "3", "4"]);
});

test("refuses the work of others before that of known requesters when all places are taken", async () => {
  const { add, end } = makeWork(new Turns({ atOnce: 1, maxWaiting: 2, maxInLane: 10 }));
  const others = ["1", "2", "3"].map((name) => add(`flood ${name}`, name, name));
  const known = add("office", "a", "a", true);
  await expect(Promise.race([others[1], others[2]])).rejects.toMatchObject({ status: 503 });
  const second = add("office", "b", "b", true);
  await expect(Promise.all(others)).rejects.toMatchObject({ status: 503 });
  // Only known requesters wait now, in one lane: nobody gives way, and a stranger finds no room.
  await expect(add("office", "c", "c", true)).rejects.toMatchObject({ status: 503 });
  await expect(add("flood 4", "4", "4")).rejects.toMatchObject({ status: 503 });
  for (const name of ["1", "a", "b"]) await end(name);
  await Promise.all([known, second, others[0]]);
});
