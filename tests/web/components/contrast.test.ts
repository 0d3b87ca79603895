import { expect, it } from "vitest";
import { textOn } from "../../../web/components/contrast";
import { formatBytes } from "../../../web/components/formatBytes";

it("writes black on bright colours and white on dark ones", () => {
  expect(textOn("#ffffff")).toBe("#000");
  expect(textOn("#33fff1")).toBe("#000");
  expect(textOn("#0000ff")).toBe("#fff");
  expect(textOn("#000000")).toBe("#fff");
  expect([textOn("#3df233"), textOn("#0483f5"), textOn("#c92a2a")]).toEqual(["#000", "#000", "#fff"]);
});

it("writes sizes as file managers do", () => {
  expect([0, 999, 1_234, 1_234_567, 450_000_000].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1.2 kB",
    "1.2 MB",
    "450 MB",
  ]);
});
