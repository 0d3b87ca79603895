import { transfer } from "comlink";
import type { Ring, Rings, Rle } from "../../../shared/entities/shape";
import { buffersOf, type PackedRings, packRings, unpackRings } from "../../../shared/geometry/packed";
import type { PaintOptions, Stroke } from "../../../shared/geometry/stroke";
import type { WorkerFunctions } from "../../../workers";
import { ImageThreads } from "./imageThreads";
import type { Scissors } from "./scissors";
import type { Wand } from "./wand";
import { WorkerThread } from "./workerThread";

/**
 * Heavy computations in a Web Worker. All coordinates are image pixels. If the worker dies, the call is repeated in a
 * new one. A call rejects if the new worker dies too, or if a worker is silent for too long or cannot be started; the
 * next call starts a new one.
 */
export interface Compute {
  /** Returns the outline of a mask. Rejects if the mask is malformed. */
  trace(rle: Rle): Promise<Rings>;
  /** Returns the union of two shapes. */
  unite(a: Rings, b: Rings): Promise<Rings>;
  /** Returns the first shape without the second. */
  subtract(a: Rings, b: Rings): Promise<Rings>;
  /** Returns the union of all polygons. Polygons that touch no other stay exactly as they are. */
  merge(polygons: Rings): Promise<Rings>;
  /** Returns the parts into which a line x, y, x, y, … cuts a shape, the largest first; see splitShape. */
  split(shape: Rings, line: Ring): Promise<Rings[]>;
  /** Returns outlines with fewer points and rounded corners, within `tolerance` of the old ones. */
  smooth(rings: Rings, tolerance: number): Promise<Rings>;
  /** Returns outlines with fewer points. Removed points are at most `tolerance` from the new outline. */
  simplify(rings: Rings, tolerance: number): Promise<Rings>;
  /** Returns a shape with a brush stroke united with it or subtracted from it. */
  paint(shape: Rings, stroke: Stroke, options: PaintOptions): Promise<Rings>;
  /**
   * Returns the magic wand for the image at an address of our own server. Runs in parallel to the other computations.
   */
  wand(address: string): Wand;
  /** Returns the intelligent scissors for the image at an address, which run in the worker of its magic wand. */
  scissors(address: string): Scissors;
  close(): void;
}

/** Creates the computations, whose workers start on first use and run until `close`. */
export function startCompute(): Compute {
  const thread = new WorkerThread<WorkerFunctions>(() => {
    return new Worker(new URL("../../../workers/index.ts", import.meta.url), { type: "module", name: "compute" });
  });
  const images = new ImageThreads();
  const ringsOf = async (answer: Promise<PackedRings>) => unpackRings(await answer);
  return {
    trace: (rle) => ringsOf(thread.callTwice((to) => to.trace(rle))),
    unite: (a, b) => ringsOf(thread.callTwice((to) => to.unite(transferred(a), transferred(b)))),
    subtract: (a, b) => ringsOf(thread.callTwice((to) => to.subtract(transferred(a), transferred(b)))),
    merge: (polygons) => ringsOf(thread.callTwice((to) => to.merge(transferred(polygons)))),
    split: async (shape, line) =>
      (await thread.callTwice((to) => to.split(transferred(shape), line))).map((part) => unpackRings(part)),
    smooth: (rings, tolerance) => ringsOf(thread.callTwice((to) => to.smooth(transferred(rings), tolerance))),
    simplify: (rings, tolerance) => ringsOf(thread.callTwice((to) => to.simplify(transferred(rings), tolerance))),
    paint: (shape, stroke, options) => ringsOf(thread.callTwice((to) => to.paint(transferred(shape), stroke, options))),
    wand: (address) => images.wand(address),
    scissors: (address) => images.scissors(address),
    close: () => {
      thread.close();
      images.close();
    },
  };
}

/** Packs rings so that their memory is transferred to the worker. */
function transferred(rings: Rings): PackedRings {
  const packed = packRings(rings);
  return transfer(packed, buffersOf(packed));
}
