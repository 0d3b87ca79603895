import { transfer } from "comlink";
import type { Rings, Rle } from "../../../shared/entities/shape";
import { buffersOf, type PackedRings, packRings, unpackRings } from "../../../shared/geometry/packed";
import type { PaintOptions, Stroke } from "../../../shared/geometry/stroke";
import type { WorkerFunctions } from "../../../workers";
import { rememberedRegions } from "./regions";
import { LatestWand, type Wand } from "./wand";
import { WorkerThread } from "./workerThread";

/**
 * Heavy arithmetic off the main thread. All coordinates are image pixels. A worker that dies is replaced and asked once
 * more. A call rejects where that one dies too, where a worker is silent for too long, or cannot be started; the next
 * call starts a new one.
 */
export interface Compute {
  /** The outline of a mask. Rejects where the mask is malformed. */
  trace(rle: Rle): Promise<Rings>;
  /** Returns the union of two shapes. */
  unite(a: Rings, b: Rings): Promise<Rings>;
  /** Returns the first shape without the second. */
  subtract(a: Rings, b: Rings): Promise<Rings>;
  /** Outlines with fewer points, none of those left out farther than `tolerance` from the new outline. */
  simplify(rings: Rings, tolerance: number): Promise<Rings>;
  /** A shape with a brush stroke united with it or taken from it. */
  paint(shape: Rings, stroke: Stroke, options: PaintOptions): Promise<Rings>;
  /** The magic wand over the image at an address of our own server. Works beside the other computations. */
  wand(address: string): Wand;
  close(): void;
}

/** Starts a worker; it lives until `close`. */
export function startCompute(): Compute {
  const thread = new WorkerThread<WorkerFunctions>(() => {
    return new Worker(new URL("../../../workers/index.ts", import.meta.url), { type: "module", name: "compute" });
  });
  const wands = new Set<Wand>();
  const ringsOf = async (answer: Promise<PackedRings>) => unpackRings(await answer);
  return {
    trace: (rle) => ringsOf(thread.callTwice((to) => to.trace(rle))),
    unite: (a, b) => ringsOf(thread.callTwice((to) => to.unite(handed(a), handed(b)))),
    subtract: (a, b) => ringsOf(thread.callTwice((to) => to.subtract(handed(a), handed(b)))),
    simplify: (rings, tolerance) => ringsOf(thread.callTwice((to) => to.simplify(handed(rings), tolerance))),
    paint: (shape, stroke, options) => ringsOf(thread.callTwice((to) => to.paint(handed(shape), stroke, options))),
    wand: (address) => {
      const wand = startWand(address, () => wands.delete(wand));
      wands.add(wand);
      return wand;
    },
    close: () => {
      thread.close();
      for (const wand of [...wands]) wand.close();
    },
  };
}

function startWand(address: string, onClose: () => void): Wand {
  let isNew = true;
  const thread = new WorkerThread<WorkerFunctions>(
    () => new Worker(new URL("../../../workers/index.ts", import.meta.url), { type: "module", name: "wand" }),
    {
      onStop: () => {
        isNew = true;
      },
    },
  );
  const close = () => {
    thread.close();
    onClose();
  };
  const grow = rememberedRegions({
    grow: (gesture, { x, y, options }) => thread.call((to) => to.growWand(address, gesture, x, y, options)),
    isForgotten: () => {
      const wasNew = isNew;
      isNew = false;
      return wasNew;
    },
  });
  return new LatestWand(
    async (gesture, x, y, options) => {
      const outline = await grow(gesture, { x, y, options });
      return outline && unpackRings(outline);
    },
    close,
    () => void thread.call((to) => to.prepareWand(address)).catch(() => undefined),
  );
}

/** Rings in a form whose memory moves to the worker. */
function handed(rings: Rings): PackedRings {
  const packed = packRings(rings);
  return transfer(packed, buffersOf(packed));
}
