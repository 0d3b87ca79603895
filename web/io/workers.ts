import { type Remote, transfer, wrap } from "comlink";
import type { Rings, Rle } from "../../shared/entities/shape";
import { buffersOf, packRings, unpackRings } from "../../shared/geometry/packed";
import type { WorkerFunctions } from "../../workers";

/** Heavy arithmetic off the main thread. All coordinates are image pixels. */
export interface Compute {
  /** The outline of a mask. Rejects where the mask is malformed. */
  trace(rle: Rle): Promise<Rings>;
  /** What lies in either of two shapes. */
  unite(a: Rings, b: Rings): Promise<Rings>;
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
  const answered = <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, broken]);
  return {
    trace: async (rle) => unpackRings(await answered(functions.trace(rle))),
    unite: async (a, b) => {
      const [packedA, packedB] = [packRings(a), packRings(b)];
      const given = transfer(packedA, [...buffersOf(packedA), ...buffersOf(packedB)]);
      return unpackRings(await answered(functions.unite(given, packedB)));
    },
    close: () => worker.terminate(),
  };
}
