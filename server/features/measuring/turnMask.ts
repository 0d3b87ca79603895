import { turnRle } from "../../../shared/coco/turn";
import type { Rle } from "../../../shared/entities/shape";
import type { MaskToTurn } from "./question";
import { askShapeThread } from "./shapeThreads";

/**
 * Numbers of pixels, and of runs or characters, up to which masks are turned without a thread, which takes a few
 * milliseconds.
 */
const LIGHT_PIXELS = 500_000;
const LIGHT_COUNTS = 20_000;

/** Turns a valid mask upright, as the image is displayed. A large mask is turned in a thread of `requester`. */
export async function turnMask(requester: string, mask: MaskToTurn, signal: AbortSignal): Promise<Rle> {
  const { turn, rle, size } = mask;
  if (size.width * size.height <= LIGHT_PIXELS && rle.counts.length <= LIGHT_COUNTS) return turnRle(turn, rle, size);
  const [answer] = await askShapeThread(requester, [{ turn: mask }], signal);
  if (!answer || !("turned" in answer)) throw new Error("The shape thread returned no mask.");
  return answer.turned;
}
