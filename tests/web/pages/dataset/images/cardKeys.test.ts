import { describe, expect, it } from "vitest";
import { columnsOf } from "../../../../../web/pages/dataset/images/view/cardKeys";

describe("rows of cards", () => {
  it("are counted from the positions of their tops", () => {
    expect(columnsOf([10, 10, 10.4, 200, 200])).toBe(3);
    expect(columnsOf([10, 10])).toBe(2);
    expect(columnsOf([10, 200])).toBe(1);
    expect(columnsOf([])).toBe(1);
  });
});
