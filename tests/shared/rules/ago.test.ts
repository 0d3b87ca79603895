import { expect, it } from "vitest";
import { ago } from "../../../shared/rules/ago";

const now = new Date("2026-06-01T12:00:00Z");
const before = (seconds: number) => ago(new Date(now.getTime() - seconds * 1000), now);

it("names the largest unit of which more than one has passed", () => {
  expect([before(0), before(1), before(2), before(60), before(61), before(3600), before(3601)]).toEqual([
    "",
    "",
    "2 seconds",
    "60 seconds",
    "1 minute",
    "60 minutes",
    "1 hour",
  ]);
  expect([before(86_401), before(3 * 86_400), before(31 * 86_400), before(800 * 86_400)]).toEqual([
    "1 day",
    "3 days",
    "1 month",
    "2 years",
  ]);
});

it("is empty for a future time", () => {
  expect(before(-50)).toBe("");
});
