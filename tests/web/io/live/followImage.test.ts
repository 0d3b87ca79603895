import { afterAll, afterEach, expect, it, vi } from "vitest";
import { followImage } from "../../../../web/io/live/followImage";

// Files of a worker share their modules: this one needs them with its mocks, and leaves none of these to others.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

/** The live connection: `entered` of the last announcement is the callback for the server. */
const live = vi.hoisted(() => {
  const listeners = new Map<string, (...given: unknown[]) => void>();
  return {
    connected: true,
    listeners,
    entered: undefined as ((answer?: object) => void) | undefined,
    on: (event: string, listener: () => void) => void listeners.set(event, listener),
    off: (event: string) => void listeners.delete(event),
    emit(_: string, __: object, entered?: () => void) {
      this.entered = entered;
    },
  };
});
vi.mock("../../../../web/io/live/socket", () => ({ socket: () => live }));

afterEach(() => {
  vi.useRealTimers();
  live.entered = undefined;
});

it("reports when the server has admitted the tab, after each connection, and nothing after leaving", () => {
  let entered = 0;
  const leave = followImage(7, { onChange: () => {}, onEntered: () => void entered++, onUsersChange: () => {} });
  expect(entered).toBe(0);
  live.entered?.();
  expect(entered).toBe(1);
  live.listeners.get("connect")?.();
  live.entered?.();
  expect(entered).toBe(2);
  const late = live.entered;
  leave();
  late?.();
  expect(entered).toBe(2);
});

it("asks again, later each time, if the server could not admit the tab, until it is left", () => {
  vi.useFakeTimers();
  const emit = vi.spyOn(live, "emit");
  let entered = 0;
  const leave = followImage(7, { onChange: () => {}, onEntered: () => void entered++, onUsersChange: () => {} });
  for (const requested of [1, 2, 3]) {
    expect(emit).toHaveBeenCalledTimes(requested);
    live.entered?.({ error: "unavailable" });
    vi.advanceTimersByTime(10_000);
  }
  expect(entered).toBe(0);
  live.entered?.({ usernames: ["ann"] });
  expect(entered).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(emit).toHaveBeenCalledTimes(4);
  live.listeners.get("connect")?.();
  live.entered?.({ error: "unavailable" });
  leave();
  vi.advanceTimersByTime(60_000);
  // The fifth retried, the sixth leaves.
  expect(emit).toHaveBeenCalledTimes(6);
  emit.mockRestore();
});

it("tracks the users present from the server's response and later events", () => {
  const shown: (readonly string[])[] = [];
  const leave = followImage(7, {
    onChange: () => {},
    onEntered: () => {},
    onUsersChange: (names) => shown.push(names),
  });
  live.entered?.({ usernames: ["ann", "bob"] });
  live.listeners.get("presence")?.([
    { image_id: 8, joined: ["fred"], left: [] },
    { image_id: 7, joined: ["carl"], left: ["bob"] },
  ]);
  live.listeners.get("connect")?.();
  live.entered?.({ usernames: ["carl"] });
  leave();
  expect(shown).toEqual([["ann", "bob"], ["ann", "carl"], ["carl"]]);
});
