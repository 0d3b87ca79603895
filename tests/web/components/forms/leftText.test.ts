import { expect, it } from "vitest";
import { leftText } from "../../../../web/components/forms/leftText";

const known = ["person", "Boat", "boat"];

it("takes a known name as it is spelt, whatever the case", () => {
  expect(leftText(" Person ", known)).toEqual({ take: "person" });
  expect(leftText("boat", known)).toEqual({ take: "boat" });
  expect(leftText("BOAT", known)).toEqual({ take: "Boat" });
});

it("takes a new name as it was typed", () => {
  expect(leftText(" boats", known)).toEqual({ take: "boats" });
});

it("asks about half of a name, and of nothing makes nothing", () => {
  expect(leftText("pers ", known)).toEqual({ ask: "pers" });
  expect(leftText("  ", known)).toBeNull();
});
