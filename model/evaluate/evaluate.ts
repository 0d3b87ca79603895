import { DEXTR } from "../../shared/constants";
import type { Rings } from "../../shared/entities/shape";
import { boxOf } from "../dextr/base/points";
import type { Point } from "../dextr/base/request";
import type { DextrSession } from "../dextr/base/session";
import { segment } from "../dextr/segment";
import { BASELINES } from "./baselines";
import { chosenOf, evenly, listOfEmpty, nameOfSide, SIDES } from "./choose";
import { iou, rasterise } from "./masks/bitmap";
import { addNoise, extremePoints } from "./masks/clicks";
import { imageOf } from "./measure";
import type { PackedObject, Sample } from "./pack";
import { Scores } from "./statistics/scores";

export interface EvaluateOptions {
  /** Side of the network's square input. */
  size: number;
  /** Padding around the clicks, in image pixels. */
  padding: number;
  /** Sigma of the noise of clicks, as a share of the object's box. */
  noise: number;
  /** Factor by which photographs and masks are enlarged. */
  scale: number;
  /** Largest number of objects, selected evenly. */
  limit: number;
  /** Moves borders to where colours change. */
  guide: boolean;
  /** Also evaluates other paddings, on some of the objects. */
  paddings: boolean;
}

/** Other paddings to evaluate, in image pixels, and the largest number of objects to evaluate with them. */
const PADDINGS = [0, 10, 50, 200, 1000];
const PADDING_OBJECTS = 150;

/**
 * Returns tables of mean IoU as text. Objects with an empty mask are left out and listed. Rejects if a pack is damaged,
 * the network fails, or no object is left.
 */
export async function evaluate(
  all: readonly PackedObject[],
  session: DextrSession,
  options: EvaluateOptions,
): Promise<string> {
  const withPaddings = new Set(options.paddings ? evenly(evenly(all, options.limit), PADDING_OBJECTS) : []);
  const [bySource, bySide, byPadding] = [new Scores(), new Scores(), new Scores()];
  const clicked = ["exact", `noise ${options.noise}`];
  const empty: string[] = [];
  for await (const { object, sample, seed } of chosenOf(all, options, empty)) {
    const clicks = extremePoints(sample.mask);
    const side = sideOf(clicks);
    const scoreFor = (points: readonly Point[], padding: number) =>
      segment(
        imageOf(sample.photograph),
        { points, more: [], padding, threshold: DEXTR.threshold },
        session,
        options,
      ).then(({ rings }) => scoreOf(rings, sample));
    const scores = new Map<string, number>();
    scores.set(clicked[0]!, await scoreFor(clicks, options.padding));
    scores.set(clicked[1]!, await scoreFor(addNoise(clicks, options.noise, seed), options.padding));
    for (const [name, guess] of Object.entries(BASELINES)) scores.set(name, scoreOf(guess(clicks), sample));
    for (const [column, score] of scores) {
      bySource.add(object.item.s, column, score);
      bySide.add(side, column, score);
    }
    if (!withPaddings.has(object)) continue;
    for (const padding of PADDINGS) byPadding.add(side, `${padding} px`, await scoreFor(clicks, padding));
  }
  const columns = [...clicked, ...Object.keys(BASELINES)];
  return [
    bySource.table("source", columns, bySource.names()),
    bySide.table("long side", columns, SIDES.map(nameOfSide)),
    ...(options.paddings
      ? [
          byPadding.table(
            "long side, by padding",
            PADDINGS.map((n) => `${n} px`),
            SIDES.map(nameOfSide),
          ),
        ]
      : []),
    ...(empty.length > 0 ? [listOfEmpty(empty)] : []),
  ].join("\n\n");
}

function scoreOf(rings: Rings, { mask, ignored }: Sample): number {
  return iou(rasterise(rings, mask.width, mask.height), mask, ignored);
}

function sideOf(clicks: readonly Point[]): string {
  const { left, top, right, bottom } = boxOf(clicks);
  return nameOfSide(Math.max(right - left, bottom - top));
}
