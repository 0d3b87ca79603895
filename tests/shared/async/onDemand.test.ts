import { expect, it } from "vitest";
import { OnDemand } from "../../../shared/async/onDemand";

it("loads the value once, at the first request", async () => {
  let loads = 0;
  const value = new OnDemand(async () => ++loads);
  expect(loads).toBe(0);
  expect(await Promise.all([value.get(), value.get()])).toEqual([1, 1]);
  expect(await value.get()).toBe(1);
});

it("resolves `loaded` with a value that was loaded by a request", async () => {
  const value = new OnDemand(async () => "here");
  const waiting = value.loaded;
  await value.get();
  expect(await waiting).toBe("here");
  expect(await value.loaded).toBe("here");
});

it("tries again after a failed load", async () => {
  const outcomes = [Promise.reject(new Error("no network")), Promise.resolve("here")];
  const value = new OnDemand(() => outcomes.shift()!);
  await expect(value.get()).rejects.toThrow("no network");
  expect(await value.get()).toBe("here");
  expect(await value.loaded).toBe("here");
});
