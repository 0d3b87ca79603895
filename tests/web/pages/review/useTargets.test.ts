import { expect, it } from "vitest";
import { type Target, targetOf } from "../../../../web/pages/review/useTargets";

const image = { id: 7, path: "a.png", dataset: "Town", width: 4, height: 3 };
const targets = new Map<string, Target>([["old", { image, isSame: true }]]);

it("says nothing of a group's image while the images shown are those of other groups", () => {
  expect(targetOf(undefined, "old")).toBeUndefined();
  expect(targetOf({ look: targets, isDue: true }, "new")).toBeUndefined();
  expect(targetOf({ look: targets, isDue: true }, "old")).toEqual({ look: { image, isSame: true }, isDue: true });
});

it("knows that there is none once the answer for the group is here", () => {
  expect(targetOf({ look: targets, isDue: false }, "new")).toEqual({ look: undefined, isDue: false });
});
