import { expect, it } from "vitest";
import { reportLines } from "../../../../web/pages/dataset/report";

it("tells a nested report as numbers by their path, and lists apart", () => {
  const report = {
    images_matched: 30,
    annotations: { created: 12_345, skipped: 2 },
    reasons: ["a.jpg is not in the dataset", { image: "b.jpg", reason: "twice" }],
    nothing: [],
    note: null,
  };
  expect(reportLines(report)).toEqual({
    numbers: [
      { path: ["images_matched"], text: "30" },
      { path: ["annotations", "created"], text: "12,345" },
      { path: ["annotations", "skipped"], text: "2" },
    ],
    lists: [{ path: ["reasons"], items: ["a.jpg is not in the dataset", "Image: b.jpg, Reason: twice"] }],
  });
});
