import type { SegmentationRequest } from "../../../shared/coco/items/toCocoSegmentation";
import { toCocoSegmentation } from "../../../shared/coco/items/toCocoSegmentation";
import { hasHole } from "../../../shared/coco/segmentation";
import type { Ring, Rle } from "../../../shared/entities/shape";
import { isHeavy } from "./measuring";
import { askShapeThread } from "./shapeThreads";

/** Length of an RLE's counts up to which its mask is traced without a thread. */
const LIGHT_COUNTS = 5_000;
/** Number of points up to which an outline's holes are cut open without a thread. */
const LIGHT_POINTS = 500;

/**
 * Converts a stored shape to the segmentation of a COCO file, in a thread of `requester` if that takes more than a few
 * milliseconds. A shape that takes the thread too long keeps the form in which it is stored.
 */
export async function segmentationOf(request: SegmentationRequest, requester: string): Promise<Ring[] | Rle | null> {
  if (!isHeavyRequest(request)) return toCocoSegmentation(request);
  try {
    const [answer] = await askShapeThread(requester, [{ convert: request }]);
    if (answer && "segmentation" in answer) return answer.segmentation;
  } catch (error) {
    if (!(error instanceof Error && error.name === "TimeoutError")) throw error;
  }
  return unconverted(request);
}

function isHeavyRequest({ shape, form, iscrowd, width, height }: SegmentationRequest): boolean {
  if (Array.isArray(shape)) return form === "rle" && isHeavy({ rings: shape.map((ring) => [ring]), width, height });
  if ("counts" in shape) return form === "polygon" && shape.counts.length > LIGHT_COUNTS;
  const { rings } = shape;
  if (form === "polygon") {
    const points = rings.reduce((sum, polygon) => polygon.reduce((n, ring) => n + ring.length / 2, sum), 0);
    return hasHole(rings) && (points > LIGHT_POINTS || isHeavy({ rings, width, height }));
  }
  return (form === "rle" || iscrowd || hasHole(rings)) && isHeavy({ rings, width, height });
}

const unconverted = ({ shape }: SegmentationRequest): Ring[] | Rle => ("rings" in shape ? shape.rings.flat() : shape);
