import { MAX_COORDINATES } from "../constants";
import type { Bbox, Ring } from "../entities/shape";
import { FormatError, numberOf } from "./formatError";

/** One line of a YOLO label file, in fractions of the image's width and height from its top left corner. */
export interface YoloObject {
  classNumber: number;
  /** [x, y, width, height] from the top left corner. */
  bbox?: Bbox;
  outline?: Ring;
  /** x, y and visibility of each keypoint. */
  keypoints?: number[];
}

/** Number of keypoints in a pose line, with (3) or without (2) visibility; from data.yaml. */
export type KeypointShape = readonly [count: number, dimensions: 2 | 3];

/** Largest overshoot of a fraction, caused by rounding; Ultralytics' reader allows the same. */
const TOLERANCE = 0.01;

/**
 * Reads a line. The number of its values decides its kind: five are a box, six a box with its confidence, which is
 * ignored, and the number that follows from `keypoints` is a pose. Without `keypoints`, any other odd number from seven
 * on is an outline, but a line that could also be a pose is rejected. Throws FormatError.
 */
export function readYoloLine(line: string, keypoints: KeypointShape | undefined): YoloObject {
  const values = line.trim().split(/\s+/);
  if (values.length > MAX_COORDINATES + 1) throw new FormatError("has more values than an outline can have");
  const [first, ...numbers] = values.map(numberOf);
  if (first === undefined || !Number.isSafeInteger(first) || first < 0) throw new FormatError("has no class number");
  if (keypoints && numbers.length === 4 + keypoints[0] * keypoints[1])
    return { classNumber: first, bbox: boxOf(numbers), keypoints: points(numbers.slice(4), keypoints) };
  if (numbers.length === 4 || numbers.length === 5) return { classNumber: first, bbox: boxOf(numbers) };
  if (keypoints) throw new FormatError(`is neither a box nor a pose with the kpt_shape [${keypoints}] of data.yaml`);
  if (looksLikePose(numbers)) throw new FormatError(poseAdvice((numbers.length - 4) / 3));
  if (numbers.length < 6 || numbers.length % 2 !== 0)
    throw new FormatError("has a number of values that is neither a box's nor an outline's");
  return { classNumber: first, outline: numbers.map(inside) };
}

const poseAdvice = (count: number): string =>
  `could be a box with keypoints as well as an outline. If it is a pose, add the line "kpt_shape: [${count}, 3]" to the data.yaml in the zip, and import again`;

/** Returns true for a box followed by triples that end in 0, 1 or 2. An outline hardly ever has such values. */
function looksLikePose([x = 0, y = 0, width = 0, height = 0, ...triples]: readonly number[]): boolean {
  if (triples.length < 3 || triples.length % 3 !== 0 || width <= 0 || height <= 0) return false;
  const isInside = [x - width / 2, y - height / 2, 1 - x - width / 2, 1 - y - height / 2].every(
    (room) => room >= -TOLERANCE,
  );
  return isInside && triples.every((value, i) => i % 3 !== 2 || value === 0 || value === 1 || value === 2);
}

/** Returns the part of a box inside the image. Throws FormatError if its middle is outside the image. */
function boxOf(numbers: readonly number[]): Bbox {
  const [x = 0, y = 0, width = 0, height = 0] = numbers;
  if (width <= 0 || height <= 0) throw new FormatError("has a box without width or height");
  for (const share of numbers.slice(0, 4)) inside(share);
  const [left, right] = [clip(x - width / 2), clip(x + width / 2)];
  const [top, bottom] = [clip(y - height / 2), clip(y + height / 2)];
  if (right <= left || bottom <= top) throw new FormatError(OUTSIDE);
  return [left, top, right - left, bottom - top];
}

const OUTSIDE = "has coordinates outside the image: they are fractions of its width and height, from 0 to 1";

function inside(share: number): number {
  if (!isInside(share)) throw new FormatError(OUTSIDE);
  return clip(share);
}

const isInside = (share: number): boolean => share >= -TOLERANCE && share <= 1 + TOLERANCE;

const clip = (share: number): number => Math.min(1, Math.max(0, share));

/**
 * Returns triples x, y, visibility. If the line has no visibilities, every point except (0, 0) counts as labeled and
 * visible.
 */
function points(numbers: readonly number[], [count, dimensions]: KeypointShape): number[] {
  return Array.from({ length: count }, (_, i) => {
    const [x = 0, y = 0, given] = numbers.slice(i * dimensions, (i + 1) * dimensions);
    const v = given ?? (x === 0 && y === 0 ? 0 : 2);
    if (![0, 1, 2].includes(v)) throw new FormatError("has a keypoint whose visibility is not 0, 1 or 2");
    // Some tools write arbitrary positions for points that are not labeled.
    return v === 0 && !(isInside(x) && isInside(y)) ? [0, 0, 0] : [inside(x), inside(y), v];
  }).flat();
}
