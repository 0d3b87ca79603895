import { describe, expect, test } from "vitest";
import type { Instance, UndoEntry } from "../../../../shared/api/undo";
import { countsOf, doneText, failedText, titleOf } from "../../../../web/pages/undo/entryTexts";

const entry = (instance: Instance, id: number, name = `n${id}`): UndoEntry => ({
  ...{ id, instance, name, ago: "", date: "2026-01-01T00:00:00.000Z", deleted_by: null },
  ...{ category: null, image: null, dataset: null, permissions: { delete: true } },
});
const message = (error: unknown) => String(error);

describe("texts of deleted entries", () => {
  test("one entry is named, several entries are counted by kind", () => {
    expect(titleOf(entry("image", 4, "street.jpg"))).toBe("image street.jpg");
    expect(titleOf(entry("annotation", 12, "-"))).toBe("annotation 12");
    const many = [entry("image", 1), entry("category", 1), entry("category", 2), entry("dataset", 1)];
    expect(countsOf(many)).toBe("2 categories, 1 dataset, 1 image");
    expect(doneText({ done: [entry("image", 1)], failed: [], continuesAsTask: false }, "was restored")).toBe(
      "Image n1 was restored.",
    );
    expect(doneText({ done: many, failed: [], continuesAsTask: true }, "was deleted")).toBe(
      "2 categories, 1 dataset, 1 image were deleted. The rest continues as a task.",
    );
  });

  test("a reason is shown once, with some of the entries it applies to", () => {
    const failed = [1, 2, 3, 4, 5].map((id) => ({ entry: entry("category", id), error: id === 5 ? "gone" : "in use" }));
    expect(failedText({ done: [], failed, continuesAsTask: false }, message)).toBe(
      "category n1, category n2, category n3 and 1 more: in use\ncategory n5: gone",
    );
  });
});
