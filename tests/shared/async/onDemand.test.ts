import { expect, it } from "vitest";
import { OnDemand } from "../../../shared/async/onDemand";

it("loads the value once, at the first need", async () => {
  let loads = 0;
  const value = new OnDemand(async () => ++loads);
  expect(loads).toBe(0);
  expect(await Promise.all([value.get(), value.get()])).toEqual([1, 1]);
  expect(await value.get()).toBe(1);
});

it("gives a loaded value to those that do not need it", async () => {
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
