import { expect, it } from "vitest";
import { generateText, scanText, undoneText } from "../../../../../web/pages/dataset/tasks/taskTexts";

it("describes what a task has done, and omits empty counts", () => {
  expect(scanText({ created: 3, moved: 0, changed: 1, known: 9, in_bin: 0, missing: 2 })).toBe(
    "Images: 3 new, 1 changed, 2 without a file.",
  );
  expect(scanText({ created: 0, known: 9 })).toBe("Nothing has changed.");
  expect(generateText({ added: 10, known: 2, failed: 0 })).toBe("Images: 10 added, 2 already in the dataset.");
  expect(generateText(null)).toBe("Nothing was found.");
});

it("distinguishes the undoing of an import from an import", () => {
  expect(undoneText({ created: 5 })).toBeUndefined();
  expect(undoneText({ removed: 5, kept: 0 })).toBe("5 annotations were removed.");
  expect(undoneText({ removed: 5, kept: 1 })).toBe("5 annotations were removed. Kept because of later changes: 1.");
});
