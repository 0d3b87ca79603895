import { expect, it } from "vitest";
import { reportSections } from "../../../../web/pages/importReport/report";

it("lists what was created, matched and skipped and why, with examples, and omits empty counts", () => {
  const report = {
    created: 492,
    matched: 0,
    skipped: { "the image is not in the dataset": 12 },
    notes: {},
    images: { matched: 30, "has another size": 1 },
    categories: [
      { id: 1, name: "person", how: "found", labels: [], added: false },
      { id: 2, name: "dog", how: "created", labels: [], added: true },
      { id: 3, name: "cat", how: "created", labels: [], added: true },
    ],
    examples: { "the image is not in the dataset": ["7", "9"], "has another size": ["a.jpg"] },
  };
  expect(reportSections(report)).toEqual([
    { title: "Annotations", lines: [{ text: "Created", count: 492, examples: [] }] },
    {
      title: "Skipped annotations",
      lines: [{ text: "The image is not in the dataset", count: 12, examples: ["7", "9"] }],
    },
    {
      title: "Images",
      lines: [
        { text: "Matched", count: 30, examples: [] },
        { text: "Has another size", count: 1, examples: ["a.jpg"] },
      ],
    },
    {
      title: "Categories",
      lines: [
        { text: "Already exists", count: 1, examples: ["person"] },
        { text: "New", count: 2, examples: ["dog", "cat"] },
      ],
    },
  ]);
});

it("writes the report of a dry run in the future tense", () => {
  const categories = [{ id: -1, name: "dog", how: "created", labels: [], added: true }];
  const report = { dry_run: true, created: 3, matched: 2, skipped: { "has no bbox": 1 }, categories };
  expect(reportSections(report)).toEqual([
    {
      title: "Annotations",
      lines: [
        { text: "Will be created", count: 3, examples: [] },
        { text: "Already in the dataset", count: 2, examples: [] },
      ],
    },
    { title: "Annotations that will be skipped", lines: [{ text: "Has no bbox", count: 1, examples: [] }] },
    { title: "Categories", lines: [{ text: "Will be created", count: 1, examples: ["dog"] }] },
  ]);
});

it("renders for any report", () => {
  const strange = { created: "many", skipped: [1], images: null, categories: { a: 1 }, examples: 3 };
  expect(reportSections(strange)).toEqual([{ title: "Annotations", lines: [] }]);
  expect(reportSections({})).toEqual([{ title: "Annotations", lines: [] }]);
});
