import { expect, test } from "vitest";
import { isReadable, paletteColorAt, READABLE_PALETTE } from "../../../shared/color/readable";
import { colorFor } from "../../../shared/edits/apply";

test("the palette of new annotations and categories has no colour that is nearly black or nearly white", () => {
  expect(READABLE_PALETTE.length).toBeGreaterThan(18);
  for (const dark of ["#0d2b80", "#0000bf", "#730b5e", "#000000", "#33fff1", "#ffffff"])
    expect([dark, isReadable(dark)]).toEqual([dark, false]);
  expect(READABLE_PALETTE.every(isReadable)).toBe(true);
  expect(paletteColorAt(READABLE_PALETTE.length)).toBe(paletteColorAt(0));
});

test("the default colour of an annotation is readable and the same for a uuid", () => {
  for (let n = 0; n < 64; n++) {
    const uuid = `${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
    expect(isReadable(colorFor(uuid))).toBe(true);
    expect(colorFor(uuid)).toBe(colorFor(uuid));
  }
});
