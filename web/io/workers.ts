import { type Remote, transfer, wrap } from "comlink";
import type { Rings, Rle } from "../../shared/entities/shape";
import { buffersOf, type PackedRings, packRings, unpackRings } from "../../shared/geometry/packed";
import type { PaintOptions, Stroke } from "../../shared/geometry/stroke";
import type { WorkerFunctions } from "../../workers";

/** Heavy arithmetic off the main thread. All coordinates are image pixels. */
export interface Compute {
  /** The outline of a mask. Rejects where the mask is malformed. */
  trace(rle: Rle): Promise<Rings>;
  /** What lies in either of two shapes. */
  unite(a: Rings, b: Rings): Promise<Rings>;
  /** What lies in the first shape and not in the second. */
  subtract(a: Rings, b: Rings): Promise<Rings>;
  /** Outlines with fewer points, none of those left out farther than `tolerance` from the new outline. */
  simplify(rings: Rings, tolerance: number): Promise<Rings>;
  /** A shape with a brush stroke united with it or taken from it. */
  paint(shape: Rings, stroke: Stroke, options: PaintOptions): Promise<Rings>;
  close(): void;
}

/** Starts a worker; it lives until `close`. A worker that cannot run at all makes every call reject. */
export function startCompute(): Compute {
  const worker = new Worker(new URL("../../workers/index.ts", import.meta.url), { type: "module", name: "compute" });
  const functions: Remote<WorkerFunctions> = wrap<WorkerFunctions>(worker);
  const broken = new Promise<never>((_, reject) => {
    worker.addEventListener("error", () => reject(new Error("The background computation has failed.")));
  });
  broken.catch(() => undefined);
  const ringsOf = async (answer: Promise<PackedRings>) => unpackRings(await Promise.race([answer, broken]));
  return {
    trace: (rle) => ringsOf(functions.trace(rle)),
    unite: (a, b) => ringsOf(functions.unite(handed(a), handed(b))),
    subtract: (a, b) => ringsOf(functions.subtract(handed(a), handed(b))),
    simplify: (rings, tolerance) => ringsOf(functions.simplify(handed(rings), tolerance)),
    paint: (shape, stroke, options) => ringsOf(functions.paint(handed(shape), stroke, options)),
    close: () => worker.terminate(),
  };
}

/** Rings in a form whose memory moves to the worker. */
function handed(rings: Rings): PackedRings {
  const packed = packRings(rings);
  return transfer(packed, buffersOf(packed));
}
