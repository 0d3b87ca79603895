import { expect, test } from "vitest";
import { FairLine } from "../../../server/base/fairLine";
import { workFor } from "../../../server/base/requester";

test("requesters take turns, and the items of each stay in order", () => {
  const line = new FairLine<string>();
  workFor("ann", () => ["a1", "a2", "a3"].map((item) => line.add(item)));
  workFor("bob", () => ["b1", "b2"].map((item) => line.add(item)));
  line.add("task");
  expect(workFor("ann", () => line.own)).toBe(3);
  expect(line.first()).toBe("a1");
  expect(Array.from({ length: 7 }, () => line.shift())).toEqual(["a1", "b1", "task", "a2", "b2", "a3", undefined]);
  expect(line.first()).toBeUndefined();
});

test("a removed item is not returned, and the other items keep their places", () => {
  const line = new FairLine<string>();
  workFor("ann", () => line.add("a1"));
  workFor("bob", () => ["b1", "b2"].map((item) => line.add(item)));
  line.remove("a1");
  line.remove("b1");
  line.remove("unknown");
  expect([line.shift(), line.shift()]).toEqual(["b2", undefined]);
});
