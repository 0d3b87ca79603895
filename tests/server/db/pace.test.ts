import { expect, test } from "vitest";
import { Pace } from "../../../server/db/pace";

const bounds = { first: 100, least: 10, most: 1_000 };

test("slices grow where they take little time, up to the most", () => {
  const pace = new Pace(bounds);
  expect(pace.amount).toBe(100);
  for (let i = 0; i < 50; i++) pace.took(pace.amount, 1);
  expect(pace.amount).toBe(1_000);
});

test("slices shrink where they take long, down to the least", () => {
  const pace = new Pace(bounds);
  for (let i = 0; i < 100; i++) pace.took(pace.amount, 5_000);
  expect(pace.amount).toBe(10);
});

test("slices come to what fits into 20 milliseconds", () => {
  const pace = new Pace(bounds);
  for (let i = 0; i < 100; i++) pace.took(pace.amount, pace.amount / 7.5);
  expect(pace.amount).toBe(150);
});

test("a slice of nothing says nothing", () => {
  const pace = new Pace(bounds);
  pace.took(0, 500);
  expect(pace.amount).toBe(100);
});
