import { expect, it } from "vitest";
import { darken } from "../../../shared/color/darken";
import { channelsOf, hexOf, isColor } from "../../../shared/color/hex";
import { hexOfHsl, hslOf } from "../../../shared/color/hsl";

it("parses colours, and treats other texts as black", () => {
  expect(["#12abEF", "#12ABEF", "12abef", "#12abe", "#12abef ", "red"].map(isColor)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect([channelsOf("#0180fF"), channelsOf("red")]).toEqual([
    [1, 128, 255],
    [0, 0, 0],
  ]);
  expect(hexOf([0.6, 127.5, 255])).toBe("#0180ff");
});

it("converts every colour to hue, saturation and lightness and back", () => {
  for (let n = 0; n < 0x1000000; n += 4_099) {
    const color = `#${n.toString(16).padStart(6, "0")}`;
    expect(hexOfHsl(hslOf(color))).toBe(color);
  }
});

it("halves the lightness and keeps hue and saturation", () => {
  expect([darken("#ff0000"), darken("#80ff80"), darken("#808080"), darken("#ff0080")]).toEqual([
    "hsl(0 100% 25%)",
    "hsl(120 100% 38%)",
    "hsl(0 0% 25%)",
    "hsl(330 100% 25%)",
  ]);
});
