import { expect, it } from "vitest";
import { FormatError } from "../../../shared/formats/formatError";
import { readYoloLine } from "../../../shared/formats/yoloLine";

it("five values are a box, six a box with its confidence", () => {
  expect(readYoloLine("1 0.5 0.5 0.5 0.25", undefined)).toEqual({ classNumber: 1, bbox: [0.25, 0.375, 0.5, 0.25] });
  expect(readYoloLine(" 1\t.5 5e-1 0.5 0.25  0.97 ", undefined)).toEqual({
    classNumber: 1,
    bbox: [0.25, 0.375, 0.5, 0.25],
  });
});

it("an odd number from seven on is an outline", () => {
  expect(readYoloLine("0 0 0 1 0 1 1", undefined)).toEqual({ classNumber: 0, outline: [0, 0, 1, 0, 1, 1] });
});

it("keypoints are read with and without visibility", () => {
  const box = [0.25, 0.25, 0.5, 0.5];
  expect(readYoloLine("0 0.5 0.5 0.5 0.5 0.1 0.2 1 0 0 0", [2, 3])).toEqual({
    classNumber: 0,
    bbox: box,
    keypoints: [0.1, 0.2, 1, 0, 0, 0],
  });
  expect(readYoloLine("0 0.5 0.5 0.5 0.5 0.1 0.2 0 0", [2, 2])).toEqual({
    classNumber: 0,
    bbox: box,
    keypoints: [0.1, 0.2, 2, 0, 0, 0],
  });
  expect(readYoloLine("0 0.5 0.5 0.5 0.5", [2, 3])).toEqual({ classNumber: 0, bbox: box });
});

it("a possible pose without a declared shape is not an outline, but a closed outline of the whole image is", () => {
  const pose = "0 0.5 0.5 0.4 0.4 0.4 0.4 2 0.6 0.6 1";
  expect(() => readYoloLine(pose, undefined)).toThrow('add the line "kpt_shape: [2, 3]" to the data.yaml in the zip');
  expect(() => readYoloLine(`${pose} 0 0 0 0 0 0`, undefined)).toThrow("kpt_shape: [4, 3]");
  expect(readYoloLine(pose, [2, 3]).keypoints).toEqual([0.4, 0.4, 2, 0.6, 0.6, 1]);
  expect(readYoloLine("0 0 0 1 0 1 1 0 1 0 0", undefined).outline).toHaveLength(10);
});

it("with the shape of poses in data.yaml, a line that is neither a pose nor a box is not an outline", () => {
  expect(() => readYoloLine("0 0.5 0.5 0.4 0.4 0.4 0.4 0.6 0.6", [2, 3])).toThrow("kpt_shape [2,3]");
  expect(() => readYoloLine("0 0.5 0.5 0.4 0.4 0.4 0.4 2 0.6 0.6 1 0.1 0.1 1", [2, 3])).toThrow("kpt_shape [2,3]");
});

it("a keypoint outside the image is refused, unless it is unlabelled", () => {
  const box = "0 0.5 0.5 0.5 0.5";
  expect(readYoloLine(`${box} -7 2 0 0.3 0.4 0`, [2, 3]).keypoints).toEqual([0, 0, 0, 0.3, 0.4, 0]);
  expect(() => readYoloLine(`${box} -7 2 1 0.3 0.4 0`, [2, 3])).toThrow("outside the image");
});

it("a value outside by rounding is clamped, and a box that exceeds the image is cut off", () => {
  expect(readYoloLine("0 0.5 0.5 1.0002 1", undefined).bbox).toEqual([0, 0, 1, 1]);
  expect(readYoloLine("0 0.75 0.5 0.75 0.5", undefined).bbox).toEqual([0.375, 0.25, 0.625, 0.5]);
  expect(readYoloLine("0 0 0 1.004 -0.004 1 1", undefined).outline).toEqual([0, 0, 1, 0, 1, 1]);
});

it.each([
  ["", "not a number"],
  ["0", "number of values"],
  ["0 0.5 0.5 0.5", "number of values"],
  ["0 0.1 0.1 0.2 0.2 0.3 0.3 0.4", "number of values"],
  ["-1 0.5 0.5 0.5 0.5", "class number"],
  ["1.5 0.5 0.5 0.5 0.5", "class number"],
  ["99999999999999999999 0.5 0.5 0.5 0.5", "class number"],
  ["0 nan 0.5 0.5 0.5", "not a number"],
  ["0 inf 0.5 0.5 0.5", "not a number"],
  ["0 1e999 0.5 0.5 0.5", "not a number"],
  ["0 0x1 0.5 0.5 0.5", "not a number"],
  ["0 0,5 0,5 0,5 0,5", "a comma in place of its decimal point"],
  ["cat 0.5 0.5 0.5 0.5", "not a number"],
  ["0 0.5 0.5 0 0.5", "without width or height"],
  ["0 0.5 0.5 -0.1 0.5", "without width or height"],
  ["0 1.1 0.5 0.5 0.5", "outside the image"],
  ["0 1.005 0.5 0.002 0.5", "outside the image"],
  ["0 320 240 100 100", "outside the image"],
  ["0 0 0 1 0 1 1.5", "outside the image"],
])("%j is refused: %s", (line, reason) => {
  expect(() => readYoloLine(line, undefined)).toThrow(FormatError);
  expect(() => readYoloLine(line, undefined)).toThrow(reason);
});
