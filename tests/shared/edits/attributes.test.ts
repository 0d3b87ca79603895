import { expect, test } from "vitest";
import { applyEdit } from "../../../shared/edits/apply";
import { attributesClash, attributesHold } from "../../../shared/edits/attributes";
import { modification } from "../../../shared/edits/make";
import { annotationOf, uuidOf } from "../../web/annotator/testEditor";

const edit = (before: object, after: object) =>
  ({ before: { attributes: before }, after: { attributes: after } }) as never;

test("a modification changes only the values that its author changed", () => {
  const seen = annotationOf(1, { attributes: { color: "red", age: 3 } });
  const made = modification(uuidOf(9), seen, { attributes: { color: "blue" } });
  const now = { ...seen, attributes: { color: "red", age: 3, occluded: true } };
  expect(made && applyEdit(now, made)?.attributes).toEqual({ color: "blue", occluded: true });
});

test("changes clash only if they set the same value differently", () => {
  const mine = edit({ color: "red" }, { color: "blue" });
  expect(attributesClash(mine, { color: "red", occluded: true })).toBe(false);
  expect(attributesClash(mine, { color: "green" })).toBe(true);
  expect(attributesClash(mine, { color: "blue" })).toBe(false);
  expect(attributesClash(mine, {})).toBe(true);
  expect(attributesClash(edit({}, { color: "blue" }), { color: "green" })).toBe(true);
});

test("the values of an edit hold until one of them is changed", () => {
  const mine = edit({ color: "red", age: 3 }, { color: "blue" });
  expect(attributesHold(mine, { color: "blue", occluded: true })).toBe(true);
  expect(attributesHold(mine, { color: "red" })).toBe(false);
  expect(attributesHold(mine, { color: "blue", age: 4 })).toBe(false);
});
