import { hasHole } from "../../../shared/coco/segmentation";
import type { Ring, Rle } from "../../../shared/entities/shape";
import { isHeavy } from "./measuring";
import type { Said } from "./question";
import { saySegmentation } from "./saySegmentation";
import { askShapeThread } from "./shapeThreads";

/** Pixel edges of a longer mask are followed in a thread. */
const LIGHT_COUNTS = 5_000;
/** Points of outlines whose holes are cut open at once. */
const LIGHT_POINTS = 500;

/**
 * Returns what a COCO file says of a shape, worked out in a thread of `taker` where that takes more than a few
 * milliseconds. A shape that takes a thread too long goes out as it is.
 */
export async function segmentationOf(said: Said, taker: string): Promise<Ring[] | Rle | null> {
  if (!isWork(said)) return saySegmentation(said);
  try {
    const [answer] = await askShapeThread(taker, [{ say: said }]);
    if (answer && "segmentation" in answer) return answer.segmentation;
  } catch (error) {
    if (!(error instanceof Error && error.name === "TimeoutError")) throw error;
  }
  return flat(said);
}

function isWork({ shape, form, iscrowd, width, height }: Said): boolean {
  if (Array.isArray(shape)) return form === "rle" && isHeavy({ rings: shape.map((ring) => [ring]), width, height });
  if ("counts" in shape) return form === "polygon" && shape.counts.length > LIGHT_COUNTS;
  const { rings } = shape;
  if (form === "polygon") {
    const points = rings.reduce((sum, polygon) => polygon.reduce((n, ring) => n + ring.length / 2, sum), 0);
    return hasHole(rings) && (points > LIGHT_POINTS || isHeavy({ rings, width, height }));
  }
  return (form === "rle" || iscrowd || hasHole(rings)) && isHeavy({ rings, width, height });
}

const flat = ({ shape }: Said): Ring[] | Rle => ("rings" in shape ? shape.rings.flat() : shape);
