import type { DextrSession } from "../dextr/base/session";
import { type Chosen, chosenOf, listOfEmpty, nameOfSide, SIDES } from "./choose";
import { boundsOf } from "./masks/clicks";
import { countParts, thickness } from "./masks/traits";
import { clicksUntil, type Measured, type MeasureOptions, measure } from "./measure";
import type { PackedObject } from "./pack";
import { type Estimate, estimates } from "./statistics/bootstrap";

/** An object with its scores, in the order of the table's columns, and what it is like. */
interface Scored {
  photograph: string;
  source: string;
  side: number;
  thickness: number;
  pieces: number;
  holes: number;
  scores: number[];
}

export interface ReportOptions extends MeasureOptions {
  scale: number;
  limit: number;
}

/** IoU that a user wants, for the numbers of clicks. */
const WANTED = [0.85, 0.9];

/**
 * Returns a table of means with their 95 % confidence intervals: all objects, those of each source and size, the
 * thinnest quarter, those with holes, and those in several pieces. Objects with an empty mask are left out and listed.
 * Rejects if a pack is damaged, the network fails, or no object is left.
 */
export async function report(all: readonly PackedObject[], session: DextrSession, options: ReportOptions) {
  const objects: Scored[] = [];
  const empty: string[] = [];
  for await (const { object, sample, seed } of chosenOf(all, options, empty)) {
    const measured = await measure(sample, session, seed, options);
    const [, , across, down] = boundsOf(sample.mask);
    objects.push({
      photograph: photographOf(object),
      source: object.item.s,
      side: Math.max(across, down),
      thickness: thickness(sample.mask),
      ...countParts(sample.mask),
      scores: scoresOf(measured),
    });
  }
  return [tableOf(objects, columnsOf(options)), ...(empty.length > 0 ? [listOfEmpty(empty)] : [])].join("\n\n");
}

function photographOf({ pack, item }: Chosen["object"]): string {
  return `${pack.name} ${item.k}`;
}

function columnsOf({ noise, corrections }: ReportOptions): string[] {
  const more = ["1 corr.", "2 corr.", "5 corr.", ...WANTED.map((iou) => `NoC@${100 * iou}`), "obeyed"];
  return ["exact", `noise ${noise}`, "box", "border error", ...(corrections ? more : [])];
}

function scoresOf({ corrected, noisy, box, border, obeyed }: Measured): number[] {
  const [exact, one, two] = corrected as [number, number, number];
  const before = [exact, noisy, box, border];
  if (corrected.length === 1) return before;
  return [
    ...before,
    one,
    two,
    corrected.at(-1)!,
    ...WANTED.map((wanted) => clicksUntil(corrected, wanted)),
    obeyed / (corrected.length - 1),
  ];
}

function tableOf(objects: readonly Scored[], columns: readonly string[]): string {
  const thin = objects.map((object) => object.thickness).sort((a, b) => a - b)[Math.ceil(objects.length / 4) - 1]!;
  const sources = [...new Set(objects.map(({ source }) => source))].sort();
  const groups: [string, Scored[]][] = [
    ["all", [...objects]],
    ["thinnest quarter", objects.filter((object) => object.thickness <= thin)],
    ["with holes", objects.filter(({ holes }) => holes > 0)],
    ["several pieces", objects.filter(({ pieces }) => pieces > 1)],
    ...SIDES.map((from): [string, Scored[]] => [
      nameOfSide(from),
      objects.filter(({ side }) => nameOfSide(side) === nameOfSide(from)),
    ]),
    ...sources.map((name): [string, Scored[]] => [name, objects.filter(({ source }) => source === name)]),
  ];
  const lines = groups.filter(([, some]) => some.length > 0).map(([name, some]) => lineOf(name, some));
  return [line(["mean (95 % interval)", "objects", ...columns]), ...lines].join("\n");
}

function lineOf(name: string, objects: readonly Scored[]): string {
  const photographs = new Map<string, number[][]>();
  for (const { photograph, scores } of objects)
    photographs.set(photograph, [...(photographs.get(photograph) ?? []), scores]);
  const found = estimates([...photographs.values()]);
  return line([name, String(objects.length), ...found.map(cellOf)]);
}

function cellOf({ mean, low, high }: Estimate): string {
  return `${mean.toFixed(4)} (${low.toFixed(3)}-${high.toFixed(3)})`;
}

function line([first, count, ...rest]: string[]): string {
  return first!.padEnd(22) + count!.padStart(8) + rest.map((cell) => cell.padStart(22)).join("");
}
