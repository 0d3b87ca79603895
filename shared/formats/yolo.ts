import { polygonsToRle, ringsToRle, sameRuns } from "../coco/mask";
import { shapeRings } from "../coco/measure";
import { traceRuns } from "../coco/trace";
import type { Bbox, Ring, Rings, Shape } from "../entities/shape";
import { joinRings } from "./joinRings";
import { clipBox, type Sides } from "./sides";

/**
 * YOLO's text files, as Ultralytics documents them (docs.ultralytics.com/datasets): one line an object, the number of
 * its class (from 0), then shares of the image's sides: of a box its middle and sides, of an outline its points.
 */

/** Decimals of a share: a thousandth of a pixel in an image of 100,000. */
const DECIMALS = 8;

/** The line of a box; undefined where nothing of it lies in the image. */
export function boxLine(classNumber: number, bbox: Bbox, sides: Sides): string | undefined {
  const box = clipBox(bbox, sides);
  if (!box) return undefined;
  const [x, y, w, h] = box;
  return line(classNumber, [x + w / 2, y + h / 2, w, h], sides);
}

/** Keypoints of an annotation, x, y and visibility each, of which a line has `count`. */
interface Pose {
  triples: readonly number[];
  count: number;
}

/**
 * The line of a box with its keypoints; undefined where nothing of the box lies in the image. What lies outside the
 * image (`outside`: whether a labeled point does) is unset, since readers refuse such a file. Whether it can be seen
 * YOLO knows as no, 1, and yes, 2: unknown, 3, is a yes.
 */
export function poseLine(
  classNumber: number,
  bbox: Bbox,
  { triples, count }: Pose,
  sides: Sides,
): { line: string; outside: boolean } | undefined {
  const box = boxLine(classNumber, bbox, sides);
  if (!box) return undefined;
  let outside = false;
  const points = Array.from({ length: count }, (_, i) => {
    const [x = 0, y = 0, v = 0] = triples.slice(3 * i, 3 * i + 3);
    const isInside = x >= 0 && y >= 0 && x <= sides.width && y <= sides.height;
    if (v > 0 && !isInside) outside = true;
    return isInside ? `${sharesOf([x, y], sides)} ${Math.min(v, 2)}` : "0 0 0";
  });
  return { line: [box, ...points].join(" "), outside };
}

/**
 * The line of an outline; undefined where nothing of it lies in the image. A line has one outline without holes, so
 * pieces and holes are joined by bridges without width (see joinRings). Where that does not fill the same pixels, since
 * pieces overlap or lie partly outside, the mask's own outline is written. Throws as `ringsToRle` does.
 */
export function outlineLine(
  classNumber: number,
  annotation: { shape: Shape; bbox: Bbox; isbbox: boolean },
  sides: Sides,
): string | undefined {
  const outline = oneOutline(shapeRings(annotation.shape, annotation.bbox, annotation.isbbox), sides);
  return outline.length >= 6 ? line(classNumber, outline, sides) : undefined;
}

function oneOutline(rings: Rings, { width, height }: Sides): Ring {
  const joined = joinRings(rings.flat());
  const isInside = joined.every((value, i) => value >= 0 && value <= (i % 2 === 0 ? width : height));
  const isPlain = rings.length === 1 && rings[0]?.length === 1;
  const runs = ringsToRle(rings, width, height);
  if (runs.length < 2) return [];
  if (isInside && (isPlain || sameRuns(polygonsToRle([joined], width, height), runs))) return joined;
  return joinRings(traceRuns(runs, width, height).flat());
}

const line = (classNumber: number, pixels: readonly number[], sides: Sides): string =>
  `${classNumber} ${sharesOf(pixels, sides)}`;

const sharesOf = (pixels: readonly number[], { width, height }: Sides): string =>
  pixels.map((value, i) => share(value / (i % 2 === 0 ? width : height))).join(" ");

/** "0.5", "0.33333333": without exponent, which not every reader takes. */
const share = (value: number): string =>
  value
    .toFixed(DECIMALS)
    .replace(/\.?0+$/, "")
    .replace(/^-0$/, "0");
