import { expose } from "comlink";
import type { Ring, Rle } from "../shared/entities/shape";
import type { PackedRings } from "../shared/geometry/packed";
import type { PaintOptions, Stroke } from "../shared/geometry/stroke";
import type { WandOptions } from "../shared/wand/magicWand";
import { merge } from "./functions/merge";
import { paint } from "./functions/paint";
import { followBorder, prepareScissors } from "./functions/scissors";
import { simplify } from "./functions/simplify";
import { smooth } from "./functions/smooth";
import { split } from "./functions/split";
import { subtract } from "./functions/subtract";
import { trace } from "./functions/trace";
import { unite } from "./functions/unite";
import { growWand, prepareWand } from "./functions/wand";
import { life } from "./life";
import { transferRings } from "./transferRings";

/** The functions that a page may call. They take and return plain data; large results are transferred, not copied. */
const functions = {
  ...life,
  trace: (rle: Rle) => transferRings(trace(rle)),
  unite: (a: PackedRings, b: PackedRings) => transferRings(unite(a, b)),
  subtract: (a: PackedRings, b: PackedRings) => transferRings(subtract(a, b)),
  merge: (shapes: PackedRings) => transferRings(merge(shapes)),
  split: (shape: PackedRings, line: Ring) => split(shape, line),
  smooth: (rings: PackedRings, tolerance: number) => transferRings(smooth(rings, tolerance)),
  simplify: (rings: PackedRings, tolerance: number) => transferRings(simplify(rings, tolerance)),
  paint: (shape: PackedRings, stroke: Stroke, options: PaintOptions) => transferRings(paint(shape, stroke, options)),
  prepareWand,
  growWand: async (address: string, gesture: number, x: number, y: number, options: WandOptions) => {
    const outline = await growWand(address, gesture, x, y, options);
    return outline && transferRings(outline);
  },
  prepareScissors,
  followBorder,
};
export type WorkerFunctions = typeof functions;

expose(functions);
