import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endsWithin, withinTime } from "../../../shared/async/timeLimit";

const LIMIT_MS = 100;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(globalThis, "setTimeout");
  vi.spyOn(globalThis, "clearTimeout");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/**
 * Expects that the timers of all limits were cleared. Other files of this worker may set timers of their own meanwhile.
 */
function expectNoTimerLeft(): void {
  const { calls, results } = vi.mocked(setTimeout).mock;
  const set = results.filter((_, i) => calls[i]?.[1] === LIMIT_MS).map(({ value }) => value);
  const cleared = vi.mocked(clearTimeout).mock.calls.map(([timer]) => timer);
  expect(set.length).toBeGreaterThan(0);
  for (const timer of set) expect(cleared).toContain(timer);
}

const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));
const never = new Promise<never>(() => undefined);
const late = () => new Error("too late");

it("returns a value that arrives in time and leaves no timer", async () => {
  const answer = withinTime(LIMIT_MS, after(99, "here"), late);
  await vi.advanceTimersByTimeAsync(99);
  expect(await answer).toBe("here");
  expectNoTimerLeft();
});

it("rejects with the given error when nothing arrives in time", async () => {
  const answer = expect(withinTime(LIMIT_MS, never, late)).rejects.toThrow("too late");
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  await answer;
});

it("rejects when the promise does, and leaves no timer", async () => {
  await expect(withinTime(LIMIT_MS, Promise.reject(new Error("no")), late)).rejects.toThrow("no");
  expectNoTimerLeft();
});

it("returns true if a promise resolves in time", async () => {
  const inTime = endsWithin(LIMIT_MS, after(99, undefined));
  const tooLate = endsWithin(LIMIT_MS, after(101, undefined));
  await vi.advanceTimersByTimeAsync(200);
  expect([await inTime, await tooLate]).toEqual([true, false]);
  await expect(endsWithin(LIMIT_MS, Promise.reject(new Error("no")))).rejects.toThrow("no");
  expectNoTimerLeft();
});

it("does not leave a late rejection unhandled", async () => {
  const failing = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("no")), 200));
  const answer = endsWithin(LIMIT_MS, failing);
  await vi.advanceTimersByTimeAsync(300);
  expect(await answer).toBe(false);
});
