import { expect, it } from "vitest";
import { resolveTypedTag } from "../../../../web/components/tags/typedTag";

const known = ["person", "Boat", "boat"];

it("uses a known name in its own spelling, ignoring case", () => {
  expect(resolveTypedTag(" Person ", known)).toEqual({ add: "person" });
  expect(resolveTypedTag("boat", known)).toEqual({ add: "boat" });
  expect(resolveTypedTag("BOAT", known)).toEqual({ add: "Boat" });
});

it("recognizes a known name in another Unicode form, and a prefix without its accents", () => {
  expect(resolveTypedTag("Cafe\u0301", ["caf\u00e9"])).toEqual({ add: "caf\u00e9" });
  expect(resolveTypedTag("strass", ["Straße"])).toEqual({ confirm: "strass" });
  expect(resolveTypedTag("cafe", ["caf\u00e9 au lait"])).toEqual({ confirm: "cafe" });
});

it("uses a new name as typed", () => {
  expect(resolveTypedTag(" boats", known)).toEqual({ add: "boats" });
});

it("asks about a partial name, and ignores an empty one", () => {
  expect(resolveTypedTag("pers ", known)).toEqual({ confirm: "pers" });
  expect(resolveTypedTag("  ", known)).toBeNull();
});
