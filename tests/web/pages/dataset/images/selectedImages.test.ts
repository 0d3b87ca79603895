import { describe, expect, it } from "vitest";
import {
  isTicked,
  NOTHING_SELECTED,
  numberOf,
  type Selected,
  toggled,
} from "../../../../../web/pages/dataset/images/selectedImages";
import { failureText } from "../../../../../web/pages/dataset/images/useBulkReport";

const shown = [11, 12, 13, 14, 15];
const click = (selected: Selected, id: number, isRange = false, list = shown) => toggled(selected, list, id, isRange);
const idsOf = (selected: Selected) => [...selected.ids].sort();

describe("the selected images of a list", () => {
  it("images are selected and deselected by clicks, and stay selected on another page", () => {
    const two = click(click(NOTHING_SELECTED, 12), 14);
    expect(idsOf(two)).toEqual([12, 14]);
    expect(idsOf(click(two, 12))).toEqual([14]);
    expect(idsOf(click(two, 21, false, [21, 22]))).toEqual([12, 14, 21]);
    expect(numberOf(two, 100)).toBe(2);
  });

  it("Shift selects a range in both directions, and deselects it if its end is selected", () => {
    const forwards = click(click(NOTHING_SELECTED, 12), 14, true);
    expect(idsOf(forwards)).toEqual([12, 13, 14]);
    expect(idsOf(click(click(NOTHING_SELECTED, 14), 12, true))).toEqual([12, 13, 14]);
    expect(idsOf(click(forwards, 13, true))).toEqual([12]);
  });

  it("selected images include only the clicked one if a range has no start on this page", () => {
    expect(idsOf(click(NOTHING_SELECTED, 13, true))).toEqual([13]);
    expect(idsOf(click(click(NOTHING_SELECTED, 21, false, [21, 22]), 13, true))).toEqual([13, 21]);
  });

  it("selected images include all that match the filter except deselected ones, on any page", () => {
    const all = { ...NOTHING_SELECTED, isAll: true };
    expect(numberOf(all, 4711)).toBe(4711);
    const rest = click(click(all, 13), 21, false, [21, 22]);
    expect(numberOf(rest, 4711)).toBe(4709);
    expect([12, 13, 21, 4000].map((id) => isTicked(rest, id))).toEqual([true, false, false, true]);
    const range = click(click(all, 12), 14, true);
    expect(shown.filter((id) => isTicked(range, id))).toEqual([11, 15]);
    expect(shown.filter((id) => isTicked(click(range, 13), id))).toEqual([11, 13, 15]);
  });
});

describe("the message about images that could not be changed", () => {
  it("names the first images, and states how many more there are", () => {
    expect(failureText(1, [{ id: 3, message: "The file of a.jpg is missing." }])).toBe(
      "1 image was not changed.\nImage 3: The file of a.jpg is missing.",
    );
    const many = Array.from({ length: 7 }, (_, i) => ({ id: i + 1, message: "no" }));
    expect(failureText(250, many).split("\n")).toHaveLength(7);
    expect(failureText(250, many)).toContain("… and 245 more");
  });
});
