import { expect, it } from "vitest";
import { resolveTypedTag } from "../../../../web/components/forms/typedTag";

const known = ["person", "Boat", "boat"];

it("uses a known name in its own spelling, ignoring case", () => {
  expect(resolveTypedTag(" Person ", known)).toEqual({ add: "person" });
  expect(resolveTypedTag("boat", known)).toEqual({ add: "boat" });
  expect(resolveTypedTag("BOAT", known)).toEqual({ add: "Boat" });
});

it("uses a new name as typed", () => {
  expect(resolveTypedTag(" boats", known)).toEqual({ add: "boats" });
});

it("asks about a partial name, and ignores an empty one", () => {
  expect(resolveTypedTag("pers ", known)).toEqual({ confirm: "pers" });
  expect(resolveTypedTag("  ", known)).toBeNull();
});
