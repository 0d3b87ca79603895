import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MAX_POINTED, type OthersPointing } from "../../../../shared/events";
import { Others } from "../../../../web/annotator/sync/others";

const ben = (over: Partial<OthersPointing> = {}): OthersPointing => ({
  image_id: 1,
  from: "tab",
  username: "ben",
  place: [3, 4],
  selected: [],
  ...over,
});

describe("Others", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function connected(username: string | null = "ann") {
    const others = new Others(username);
    const sent: unknown[] = [];
    const stop = others.connect((own) => void sent.push(own));
    return { others, sent, stop, shown: () => [...others.store.getState().values()] };
  }

  test("sends nothing while nobody else is there, and the whole state once somebody comes", () => {
    const { others, sent } = connected();
    others.setUsers(["ann"]);
    others.point({ x: 1.4, y: 2.6 });
    others.select(["a"]);
    expect(sent).toEqual([]);
    others.setUsers(["ann", "ben"]);
    expect(sent).toEqual([{ place: [1, 3], selected: ["a"] }]);
  });

  test("sends at most ten messages a second, and the newest state last", () => {
    const { others, sent } = connected();
    others.setUsers(["ben"]);
    for (let x = 0; x < 50; x++) {
      others.point({ x, y: 0 });
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(1_000);
    expect(sent.length).toBeLessThanOrEqual(7);
    expect(sent.at(-1)).toEqual({ place: [49, 0], selected: [] });
    const count = sent.length;
    vi.advanceTimersByTime(10_000);
    expect(sent).toHaveLength(count);
  });

  test("sends no more than the server takes of a large selection, and nothing once stopped", () => {
    const { others, sent, stop } = connected();
    others.setUsers(["ben"]);
    others.select(Array.from({ length: 500 }, (_, i) => `${i}`));
    expect((sent[0] as OthersPointing).selected).toHaveLength(MAX_POINTED);
    others.point(null);
    stop();
    vi.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(1);
  });

  test("shows each tab of the others until it points nowhere, or the user has left", () => {
    const { others, shown } = connected();
    others.setUsers(["ann", "ben", "cem"]);
    others.receive(ben());
    others.receive(ben({ from: "second" }));
    others.receive(ben({ from: "third", username: "cem" }));
    others.receive(ben({ from: "own", username: "ann" }));
    expect(shown().map(({ from }) => from)).toEqual(["tab", "second", "third"]);
    others.receive(ben({ place: null }));
    expect(shown().map(({ from }) => from)).toEqual(["second", "third"]);
    others.setUsers(["ann", "cem"]);
    expect(shown().map(({ from }) => from)).toEqual(["third"]);
  });

  test("shows and sends nothing without accounts, where all users have one name", () => {
    const { others, sent, shown } = connected(null);
    others.setUsers(["anonymous"]);
    others.receive(ben());
    others.point({ x: 1, y: 1 });
    expect([sent, shown()]).toEqual([[], []]);
  });
});
