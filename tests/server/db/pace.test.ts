import { expect, test } from "vitest";
import { Pace } from "../../../server/db/pace";

const bounds = { first: 100, least: 10, most: 1_000 };

test("slices grow up to the maximum while they take little time", () => {
  const pace = new Pace(bounds);
  expect(pace.amount).toBe(100);
  for (let i = 0; i < 50; i++) pace.took(pace.amount, 1);
  expect(pace.amount).toBe(1_000);
});

test("slices shrink down to the minimum while they take long", () => {
  const pace = new Pace(bounds);
  for (let i = 0; i < 100; i++) pace.took(pace.amount, 5_000);
  expect(pace.amount).toBe(10);
});

test("slices converge to what fits into 20 milliseconds", () => {
  const pace = new Pace(bounds);
  for (let i = 0; i < 100; i++) pace.took(pace.amount, pace.amount / 7.5);
  expect(pace.amount).toBe(150);
});

test("an empty slice does not change the pace", () => {
  const pace = new Pace(bounds);
  pace.took(0, 500);
  expect(pace.amount).toBe(100);
});
