import { expect, it } from "vitest";
import { blackOrWhiteOn, brightnessOf, inverseOf, textColorOn } from "../../../shared/color/contrast";

it("returns black on bright colours and white on dark ones", () => {
  expect(textColorOn("#ffffff")).toBe("#000");
  expect(textColorOn("#33fff1")).toBe("#000");
  expect(textColorOn("#0000ff")).toBe("#fff");
  expect(textColorOn("#000000")).toBe("#fff");
  expect([textColorOn("#3df233"), textColorOn("#0483f5"), textColorOn("#c92a2a")]).toEqual(["#000", "#000", "#fff"]);
});

it("outlines bright parts of an image in black, dark and unknown ones in white", () => {
  expect(brightnessOf([187, 187, 187])).toBeCloseTo(187, 9);
  expect([blackOrWhiteOn([187, 187, 187]), blackOrWhiteOn([186, 186, 186]), blackOrWhiteOn(null)]).toEqual([
    "#000000",
    "#ffffff",
    "#ffffff",
  ]);
  expect(blackOrWhiteOn([0, 255, 0])).toBe("#ffffff");
});

it("inverts colours, and treats unknown ones as white", () => {
  expect([inverseOf([255, 0.4, 16]), inverseOf(null)]).toEqual(["#00ffef", "#ffffff"]);
});
