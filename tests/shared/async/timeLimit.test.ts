import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endsWithin, withinTime } from "../../../shared/async/timeLimit";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));
const never = new Promise<never>(() => undefined);
const late = () => new Error("too late");

it("returns a value that arrives in time and leaves no timer", async () => {
  const answer = withinTime(100, after(99, "here"), late);
  await vi.advanceTimersByTimeAsync(99);
  expect(await answer).toBe("here");
  expect(vi.getTimerCount()).toBe(0);
});

it("rejects with the given error when nothing arrives in time", async () => {
  const answer = expect(withinTime(100, never, late)).rejects.toThrow("too late");
  await vi.advanceTimersByTimeAsync(100);
  await answer;
});

it("rejects when the promise does, and leaves no timer", async () => {
  await expect(withinTime(100, Promise.reject(new Error("no")), late)).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
});

it("returns true if a promise resolves in time", async () => {
  const inTime = endsWithin(100, after(99, undefined));
  const tooLate = endsWithin(100, after(101, undefined));
  await vi.advanceTimersByTimeAsync(200);
  expect([await inTime, await tooLate]).toEqual([true, false]);
  await expect(endsWithin(100, Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
});

it("does not leave a late rejection unhandled", async () => {
  const failing = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("no")), 200));
  const answer = endsWithin(100, failing);
  await vi.advanceTimersByTimeAsync(300);
  expect(await answer).toBe(false);
});
