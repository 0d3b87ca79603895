import { expect, it } from "vitest";
import { resolveTypedTag } from "../../../../web/components/forms/typedTag";

const known = ["person", "Boat", "boat"];

it("takes a known name as it is spelt, whatever the case", () => {
  expect(resolveTypedTag(" Person ", known)).toEqual({ add: "person" });
  expect(resolveTypedTag("boat", known)).toEqual({ add: "boat" });
  expect(resolveTypedTag("BOAT", known)).toEqual({ add: "Boat" });
});

it("takes a new name as it was typed", () => {
  expect(resolveTypedTag(" boats", known)).toEqual({ add: "boats" });
});

it("asks about half of a name, and of nothing makes nothing", () => {
  expect(resolveTypedTag("pers ", known)).toEqual({ confirm: "pers" });
  expect(resolveTypedTag("  ", known)).toBeNull();
});
