import { turnRle } from "../../../shared/coco/turn";
import type { Rle } from "../../../shared/entities/shape";
import type { Unturned } from "./question";
import { askShapeThread } from "./shapeThreads";

/** Pixels and runs (or characters) of masks that are turned at once: a few milliseconds. */
const LIGHT_PIXELS = 500_000;
const LIGHT_COUNTS = 20_000;

/** Brings a sound mask to the image as it is shown: a large one in a thread of `taker`. */
export async function turnMask(taker: string, mask: Unturned, signal: AbortSignal): Promise<Rle> {
  const { turn, rle, sides } = mask;
  if (sides.width * sides.height <= LIGHT_PIXELS && rle.counts.length <= LIGHT_COUNTS) return turnRle(turn, rle, sides);
  const [answer] = await askShapeThread(taker, [{ turn: mask }], signal);
  if (!answer || !("turned" in answer)) throw new Error("The thread of shapes gave no mask.");
  return answer.turned;
}
