import { DEXTR } from "../../shared/constants";
import type { ImageSource } from "../dextr/base/imageSource";
import type { DextrRequest, Point } from "../dextr/base/request";
import type { DextrSession } from "../dextr/base/session";
import { requestOfBox } from "../dextr/boxes";
import type { PredictOptions } from "../dextr/predict/predict";
import { segment } from "../dextr/segment";
import { type Bitmap, iou, rasterise } from "./masks/bitmap";
import { addNoise, boundsOf, extremePoints } from "./masks/clicks";
import { deepest } from "./masks/distance";
import { borderError } from "./masks/traits";
import type { Photograph, Sample } from "./pack";

export interface MeasureOptions extends PredictOptions {
  /** Padding around the clicks, in image pixels. */
  padding: number;
  /** Sigma of the noise of clicks, as a share of the object's box. */
  noise: number;
  /** False leaves out the corrections. */
  corrections: boolean;
}

/** Largest number of corrections. */
export const MOST_CORRECTIONS = 5;

/** Scores of one object. */
export interface Measured {
  /** IoU with exact clicks, and with these and 1, 2, … corrections. */
  corrected: number[];
  noisy: number;
  box: number;
  /** Share of wrong pixels near the border, with exact clicks. */
  border: number;
  /** Number of corrections whose pixel was right in the next outline. */
  obeyed: number;
}

/**
 * Outlines an object from exact and from noisy clicks, from its box, and after corrections of the exact clicks, each in
 * the middle of the largest error. Rejects if the network fails.
 */
export async function measure(
  { photograph, mask, ignored }: Sample,
  session: DextrSession,
  seed: number,
  options: MeasureOptions,
): Promise<Measured> {
  const image = imageOf(photograph);
  const found = async (request: DextrRequest): Promise<Bitmap> =>
    rasterise((await segment(image, request, session, options)).rings, mask.width, mask.height);
  const clicked = (points: readonly Point[]) => ({
    points,
    more: [],
    padding: options.padding,
    threshold: DEXTR.threshold,
  });
  const clicks = extremePoints(mask);
  const exact = clicked(clicks);
  const [added, removed]: [Point[], Point[]] = [[], []];
  let outline = await found(exact);
  const border = borderError(outline, mask, ignored);
  const corrected = [iou(outline, mask, ignored)];
  let obeyed = 0;
  for (let n = 0; n < (options.corrections ? MOST_CORRECTIONS : 0); n++) {
    const place = deepest(errorsOf(outline, mask, ignored));
    if (place) {
      const at = place[1] * mask.width + place[0];
      (mask.data[at] ? added : removed).push(place);
      outline = await found({ ...exact, added, removed });
      if (outline.data[at] === mask.data[at]) obeyed++;
    } else obeyed++;
    corrected.push(iou(outline, mask, ignored));
  }
  return {
    corrected,
    border,
    obeyed,
    noisy: iou(await found(clicked(addNoise(clicks, options.noise, seed))), mask, ignored),
    box: iou(await found(requestOfBox(boundsOf(mask))), mask, ignored),
  };
}

/** Returns the number of corrections until an IoU is reached, or one more than were made if it is not. */
export function clicksUntil(corrected: readonly number[], wanted: number): number {
  const reached = corrected.findIndex((score) => score >= wanted);
  return reached < 0 ? corrected.length : reached;
}

function errorsOf(found: Bitmap, mask: Bitmap, ignored: Bitmap | null): Bitmap {
  return { ...mask, data: mask.data.map((bit, i) => (bit !== found.data[i] && !ignored?.data[i] ? 1 : 0)) };
}

/** Returns the photograph as the recipe's source, which always returns all pixels. */
export function imageOf({ width, height, data }: Photograph): ImageSource {
  return { width, height, read: async () => ({ data, left: 0, top: 0, width, height }) };
}
