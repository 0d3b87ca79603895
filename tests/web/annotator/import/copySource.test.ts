import { expect, test } from "vitest";
import { problemOfId } from "../../../../web/annotator/import/copySource";

test.each([
  ["", "Enter a valid image ID"],
  ["0", "Enter a valid image ID"],
  ["-3", "Enter a valid image ID"],
  ["1.5", "Enter a valid image ID"],
  ["99999999999999999999", "Enter a valid image ID"],
  [" ", "Value must be a number"],
  [" 5", "Value must be a number"],
  ["5 ", "Value must be a number"],
  ["abc", "Value must be a number"],
  ["0x10", "Value must be a number"],
  ["7", "Sorry, you can not clone the same image"],
  ["007", "Sorry, you can not clone the same image"],
  ["8", null],
])("image ID %j on image 7: %s", (text, problem) => {
  expect(problemOfId(text, 7)).toBe(problem);
});
