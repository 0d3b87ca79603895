import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { anySignal, limitedSignal } from "../../../shared/async/signals";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("aborts with the first of several signals, with the same reason", () => {
  const [a, b] = [new AbortController(), new AbortController()];
  const { signal } = anySignal([a.signal, undefined, b.signal]);
  expect(signal.aborted).toBe(false);
  const reason = new Error("b");
  b.abort(reason);
  a.abort(new Error("a"));
  expect(signal.reason).toBe(reason);
});

it("is aborted at once if one of the signals is", () => {
  const reason = new Error("over");
  expect(anySignal([undefined, AbortSignal.abort(reason)]).signal.reason).toBe(reason);
});

it("no longer follows its signals once stopped", () => {
  const own = new AbortController();
  const { signal, stop } = anySignal([own.signal]);
  stop();
  own.abort();
  expect(signal.aborted).toBe(false);
});

it("aborts after the time, or with the given signal", () => {
  const own = new AbortController();
  const [byTime, bySignal] = [limitedSignal(undefined, 100), limitedSignal(own.signal, 100)];
  vi.advanceTimersByTime(99);
  expect([byTime.signal.aborted, bySignal.signal.aborted]).toEqual([false, false]);
  const reason = new Error("gone");
  own.abort(reason);
  expect(bySignal.signal.reason).toBe(reason);
  vi.advanceTimersByTime(1);
  expect(byTime.signal.aborted).toBe(true);
});

it("leaves no timer when it is stopped", () => {
  const { signal, stop } = limitedSignal(undefined, 100);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(signal.aborted).toBe(false);
});
