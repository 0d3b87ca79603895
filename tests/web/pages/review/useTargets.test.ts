import { expect, it } from "vitest";
import { type Target, targetOf } from "../../../../web/pages/review/useTargets";

const image = { id: 7, path: "a.png", dataset: "Town", width: 4, height: 3 };
const targets = new Map<string, Target>([["old", { image, isSame: true }]]);

it("reports nothing about a group's image while the images shown are those of other groups", () => {
  expect(targetOf(undefined, "old")).toBeUndefined();
  expect(targetOf({ data: targets, isStale: true }, "new")).toBeUndefined();
  expect(targetOf({ data: targets, isStale: true }, "old")).toEqual({ data: { image, isSame: true }, isStale: true });
});

it("reports that there is no image once the response for the group has arrived", () => {
  expect(targetOf({ data: targets, isStale: false }, "new")).toEqual({ data: undefined, isStale: false });
});
