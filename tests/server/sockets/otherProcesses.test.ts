import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Presence, type PresenceChange } from "../../../server/live/presence";
import { OtherProcesses } from "../../../server/sockets/presence/otherProcesses";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function twoProcesses() {
  const presence = new Presence();
  const presenceChanges: string[] = [];
  presence.onChange(({ imageId, username, active }: PresenceChange) =>
    presenceChanges.push(`${active ? "+" : "-"}${username}@${imageId}`),
  );
  const requested: string[] = [];
  const others = new OtherProcesses(presence, (process) => requested.push(process));
  return { presence, presenceChanges, requested, others };
}

test("a process seen for the first time is asked for all its users, once", () => {
  const { others, requested, presence } = twoProcesses();
  others.receiveMessage({ kind: "alive", from: "b", number: 3 });
  others.receiveMessage({ kind: "changes", from: "b", number: 4, changes: [[1, 9, "ann", true]] });
  expect(requested).toEqual(["b"]);
  expect(presence.names(1)).toEqual([]);
  others.receiveMessage({ kind: "all", from: "b", number: 4, people: [[1, 9, "ann"]] });
  others.receiveMessage({ kind: "changes", from: "b", number: 5, changes: [[2, 9, "bob", true]] });
  expect([presence.names(1), presence.names(2)]).toEqual([["ann"], ["bob"]]);
  expect(presence.ofDataset(9)).toEqual([
    { image_id: 1, usernames: ["ann"] },
    { image_id: 2, usernames: ["bob"] },
  ]);
});

test("a missed message is noticed, and its content arrives with the full list", () => {
  const { others, requested, presence, presenceChanges } = twoProcesses();
  others.receiveMessage({ kind: "all", from: "b", number: 1, people: [[1, 9, "ann"]] });
  others.receiveMessage({ kind: "changes", from: "b", number: 3, changes: [[1, 9, "carl", true]] });
  expect(requested).toEqual(["b"]);
  others.receiveMessage({ kind: "all", from: "b", number: 4, people: [[1, 9, "bob"]] });
  expect(presence.names(1)).toEqual(["bob"]);
  others.receiveMessage({ kind: "alive", from: "b", number: 4 });
  expect(requested).toEqual(["b"]);
  expect(presenceChanges).toEqual(["+ann@1", "+bob@1", "-ann@1"]);
});

test("a user at two processes is announced once, and leaves with the last of them", () => {
  const { others, presence, presenceChanges } = twoProcesses();
  presence.enter("socket", { imageId: 1, datasetId: 9, username: "ann" });
  others.receiveMessage({ kind: "all", from: "b", number: 1, people: [[1, 9, "ann"]] });
  presence.leave("socket");
  expect(presenceChanges).toEqual(["+ann@1"]);
  others.receiveMessage({ kind: "gone", from: "b" });
  expect(presenceChanges).toEqual(["+ann@1", "-ann@1"]);
});

test("the users of a process that has signed off stay away, even if an earlier message arrives late", () => {
  const { others, presence, requested } = twoProcesses();
  others.receiveMessage({ kind: "all", from: "b", number: 1, people: [[1, 9, "ann"]] });
  others.receiveMessage({ kind: "gone", from: "b" });
  others.receiveMessage({ kind: "changes", from: "b", number: 2, changes: [[1, 9, "bob", true]] });
  expect(presence.names(1)).toEqual([]);
  expect(requested).toEqual([]);
});

test("the users of a process that falls silent leave, but not because this one was paused", () => {
  const { others, presenceChanges } = twoProcesses();
  const check = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      vi.advanceTimersByTime(1_000);
      others.forgetSilent();
    }
  };
  others.receiveMessage({ kind: "all", from: "b", number: 1, people: [[1, 9, "ann"]] });
  check(3);
  others.receiveMessage({ kind: "alive", from: "b", number: 1 });
  check(3);
  vi.advanceTimersByTime(60_000);
  others.forgetSilent();
  expect(presenceChanges).toEqual(["+ann@1"]);
  check(2);
  expect(presenceChanges).toEqual(["+ann@1", "-ann@1"]);
});
