import { DEXTR } from "../../shared/constants";
import type { Rings } from "../../shared/entities/shape";
import type { ImageSource } from "../dextr/base/imageSource";
import { boxOf } from "../dextr/base/points";
import type { Point } from "../dextr/base/request";
import type { DextrSession } from "../dextr/base/session";
import { segment } from "../dextr/segment";
import { BASELINES } from "./baselines";
import { iou, rasterise } from "./bitmap";
import { addNoise, extremePoints } from "./clicks";
import { type PackedObject, type Photograph, readSample, type Sample } from "./pack";
import { Scores } from "./scores";

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

/** Largest number of objects with an empty mask to list. */
const MAX_LISTED = 20;

/** Lower bounds of the classes of the objects' long sides, in image pixels. */
const SIDES = [0, 32, 64, 128, 256, 512, 1024, 2048];

/**
 * Returns tables of mean IoU as text. Objects with an empty mask are left out and listed. Rejects if a pack is damaged,
 * the network fails, or no object is left.
 */
export async function evaluate(
  all: readonly PackedObject[],
  session: DextrSession,
  options: EvaluateOptions,
): Promise<string> {
  const objects = evenly(all, options.limit);
  const withPaddings = new Set(options.paddings ? evenly(objects, PADDING_OBJECTS) : []);
  const [bySource, bySide, byPadding] = [new Scores(), new Scores(), new Scores()];
  const clicked = ["exact", `noise ${options.noise}`];
  const empty: string[] = [];
  for (const object of objects) {
    const sample = await readSample(object, options.scale);
    if (!sample.mask.data.includes(1)) {
      empty.push(`${object.item.k} of ${object.pack.name}`);
      continue;
    }
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
    scores.set(clicked[1]!, await scoreFor(addNoise(clicks, options.noise, seedOf(object)), options.padding));
    for (const [name, guess] of Object.entries(BASELINES)) scores.set(name, scoreOf(guess(clicks), sample));
    for (const [column, score] of scores) {
      bySource.add(object.item.s, column, score);
      bySide.add(side, column, score);
    }
    if (!withPaddings.has(object)) continue;
    for (const padding of PADDINGS) byPadding.add(side, `${padding} px`, await scoreFor(clicks, padding));
  }
  if (empty.length === objects.length) throw new Error(`There is no object to evaluate. ${listOfEmpty(empty)}`);
  const columns = [...clicked, ...Object.keys(BASELINES)];
  return [
    bySource.table("source", columns, bySource.names()),
    bySide.table("long side", columns, SIDES.map(nameOf)),
    ...(options.paddings
      ? [
          byPadding.table(
            "long side, by padding",
            PADDINGS.map((n) => `${n} px`),
            SIDES.map(nameOf),
          ),
        ]
      : []),
    ...(empty.length > 0 ? [listOfEmpty(empty)] : []),
  ].join("\n\n");
}

function listOfEmpty(empty: readonly string[]): string {
  const more = empty.length > MAX_LISTED ? " and others" : "";
  return `Left out because of empty masks: ${empty.length} (${empty.slice(0, MAX_LISTED).join(", ")}${more}).`;
}

function scoreOf(rings: Rings, { mask, ignored }: Sample): number {
  return iou(rasterise(rings, mask.width, mask.height), mask, ignored);
}

/** Returns the photograph as the recipe's source, which always returns all pixels. */
function imageOf({ width, height, data }: Photograph): ImageSource {
  return { width, height, read: async () => ({ data, left: 0, top: 0, width, height }) };
}

/** Returns at most `limit` of the items, selected evenly. */
function evenly<T>(things: readonly T[], limit: number): T[] {
  if (things.length <= limit) return [...things];
  return Array.from({ length: limit }, (_, n) => things[Math.floor((n * things.length) / limit)]!);
}

function sideOf(clicks: readonly Point[]): string {
  const { left, top, right, bottom } = boxOf(clicks);
  const long = Math.max(right - left, bottom - top);
  return nameOf(SIDES.findLast((from) => from <= long) ?? 0);
}

function nameOf(from: number): string {
  const end = SIDES[SIDES.indexOf(from) + 1];
  return end === undefined ? `from ${from} px` : `${from} to ${end - 1} px`;
}

/** Returns a seed that depends only on the object, so that results do not depend on the selection. */
function seedOf({ item, mask }: PackedObject): number {
  let seed = mask;
  for (const letter of item.k) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) | 0;
  return seed;
}
