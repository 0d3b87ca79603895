import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BackOff, SERVER_TRIES } from "../../../shared/async/backOff";
import { Retry } from "../../../shared/async/retry";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("doubles the delay with each failure up to the longest, and starts over", () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const backOff = new BackOff({ first: 100, longest: 500 });
  expect([1, 2, 3, 4, 5].map(() => backOff.next())).toEqual([100, 200, 400, 500, 500]);
  backOff.reset();
  expect(backOff.next()).toBe(100);
});

it("varies each delay by a quarter", () => {
  const random = vi.spyOn(Math, "random");
  for (const [value, ms] of [
    [0, 750],
    [1, 1250],
  ] as const) {
    random.mockReturnValue(value);
    expect(new BackOff(SERVER_TRIES).next()).toBe(ms);
  }
});

it("retries after each failure, later each time, until it succeeds", () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const at: number[] = [];
  const start = Date.now();
  const retry: Retry = new Retry(
    () => {
      at.push(Date.now() - start);
      if (at.length < 4) retry.failed();
      else retry.succeeded();
    },
    { first: 100, longest: 1_000 },
  );
  retry.failed();
  vi.advanceTimersByTime(60_000);
  expect(at).toEqual([100, 300, 700, 1500]);
  retry.failed();
  vi.advanceTimersByTime(100);
  expect(at).toHaveLength(5);
});

it("stops retrying when stopped, and retries once for simultaneous failures", () => {
  const tryAgain = vi.fn();
  const retry = new Retry(tryAgain, { first: 100, longest: 1_000 });
  retry.failed();
  retry.failed();
  vi.advanceTimersByTime(60_000);
  expect(tryAgain).toHaveBeenCalledTimes(1);
  retry.failed();
  retry.stop();
  vi.advanceTimersByTime(60_000);
  expect(tryAgain).toHaveBeenCalledTimes(1);
});
