import type { Prompt } from "../../model/dextr/base/request";
import type { OwnMask } from "../../model/dextr/looks/look";
import { promptOfShape } from "../../model/dextr/prompts";
import { shapeRings } from "../../shared/coco/measure";
import { shapeRuns } from "../../shared/coco/shapeRuns";
import type { LookJob } from "./messages";

/** Distance that DEXTR's outline may extend beyond the annotation, in image pixels: as users have it by default. */
export const LOOK_PADDING = 50;
/** Number of corners from which a mask is too ragged for an outline. */
const MOST_CORNERS = 100_000;

/**
 * Returns the clicks on an annotation's own extreme points, and its mask; the sides of the box and no mask for an
 * annotation that is only a box. Null for one without an area, or with a broken shape, which the exports report.
 */
export function promptOfJob(job: LookJob): { prompt: Prompt; mask: OwnMask | null } | null {
  const { shape, bbox, isbbox, width, height } = job;
  try {
    const prompt = promptOfShape(shapeRings(shape, bbox, isbbox, MOST_CORNERS));
    return prompt && { prompt, mask: prompt.isBox ? null : maskOf(job) };
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }

  function maskOf(own: LookJob): OwnMask {
    const runs = shapeRuns(own.shape, own.bbox, own.isbbox, width, height) ?? [];
    const data = new Uint8Array(width * height);
    let [at, value] = [0, 0];
    for (const length of runs) {
      data.fill(value, at, at + length);
      at += length;
      value = 1 - value;
    }
    return { data, width, height };
  }
}
