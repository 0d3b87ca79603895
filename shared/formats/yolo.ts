import { polygonsToRle, ringsToRle, sameRuns } from "../coco/mask";
import { shapeRings } from "../coco/measure";
import { traceRuns } from "../coco/trace";
import type { Size } from "../entities/image";
import type { Bbox, Ring, Rings, Shape } from "../entities/shape";
import { clipBox } from "./clipBox";
import { joinRings } from "./joinRings";

/**
 * Writes YOLO's text files, as documented by Ultralytics (docs.ultralytics.com/datasets). Each object has one line: its
 * class number (from 0), then the centre, width and height of a box or the points of an outline, as fractions of the
 * image's width and height.
 */

/** Decimals of a fraction: exact to a thousandth of a pixel in an image 100,000 pixels wide. */
const DECIMALS = 8;

/** Returns the line of a box; undefined if no part of it is in the image. */
export function boxLine(classNumber: number, bbox: Bbox, size: Size): string | undefined {
  const box = clipBox(bbox, size);
  if (!box) return undefined;
  const [x, y, w, h] = box;
  return line(classNumber, [x + w / 2, y + h / 2, w, h], size);
}

/** Keypoints of an annotation as triples x, y, visibility; a line has `count` of them. */
interface Pose {
  triples: readonly number[];
  count: number;
}

/**
 * Returns the line of a box with its keypoints; undefined if no part of the box is in the image. Points outside the
 * image are written as unset, since readers reject files that have them; `outside` is true if one of these points is
 * labeled. YOLO knows the visibilities 1 (hidden) and 2 (visible): 3 (unknown) is written as 2.
 */
export function poseLine(
  classNumber: number,
  bbox: Bbox,
  { triples, count }: Pose,
  size: Size,
): { line: string; outside: boolean } | undefined {
  const box = boxLine(classNumber, bbox, size);
  if (!box) return undefined;
  let outside = false;
  const points = Array.from({ length: count }, (_, i) => {
    const [x = 0, y = 0, v = 0] = triples.slice(3 * i, 3 * i + 3);
    const isInside = x >= 0 && y >= 0 && x <= size.width && y <= size.height;
    if (v > 0 && !isInside) outside = true;
    return isInside ? `${sharesOf([x, y], size)} ${Math.min(v, 2)}` : "0 0 0";
  });
  return { line: [box, ...points].join(" "), outside };
}

/**
 * Returns the line of an outline; undefined if no part of it is in the image. A line has one outline without holes, so
 * pieces and holes are joined by bridges of zero width (see joinRings). If the joined outline does not fill the same
 * pixels, because pieces overlap or are partly outside, the outline of the mask is written. Throws as `ringsToRle`
 * does.
 */
export function outlineLine(
  classNumber: number,
  annotation: { shape: Shape; bbox: Bbox; isbbox: boolean },
  size: Size,
): string | undefined {
  const outline = oneOutline(shapeRings(annotation.shape, annotation.bbox, annotation.isbbox), size);
  return outline.length >= 6 ? line(classNumber, outline, size) : undefined;
}

function oneOutline(rings: Rings, { width, height }: Size): Ring {
  const joined = joinRings(rings.flat());
  const isInside = joined.every((value, i) => value >= 0 && value <= (i % 2 === 0 ? width : height));
  const isPlain = rings.length === 1 && rings[0]?.length === 1;
  const runs = ringsToRle(rings, width, height);
  if (runs.length < 2) return [];
  if (isInside && (isPlain || sameRuns(polygonsToRle([joined], width, height), runs))) return joined;
  return joinRings(traceRuns(runs, width, height).flat());
}

const line = (classNumber: number, pixels: readonly number[], size: Size): string =>
  `${classNumber} ${sharesOf(pixels, size)}`;

const sharesOf = (pixels: readonly number[], { width, height }: Size): string =>
  pixels.map((value, i) => share(value / (i % 2 === 0 ? width : height))).join(" ");

/** Formats a fraction, such as "0.5" or "0.33333333", without an exponent, which some readers do not accept. */
const share = (value: number): string =>
  value
    .toFixed(DECIMALS)
    .replace(/\.?0+$/, "")
    .replace(/^-0$/, "0");
