import { expect, it } from "vitest";
import { formatBytes } from "../../../web/components/formatBytes";

it("formats sizes like file managers do", () => {
  expect([0, 999, 1_234, 1_234_567, 450_000_000].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1.2 kB",
    "1.2 MB",
    "450 MB",
  ]);
});
