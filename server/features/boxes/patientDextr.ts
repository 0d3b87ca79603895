import { setTimeout as wait } from "node:timers/promises";
import { SerialQueue } from "../../../shared/async/serialQueue";
import type { Rings } from "../../../shared/entities/shape";
import { HttpError } from "../../base/errors";
import type { Dextr, DextrCall } from "../../onnx/dextr";

/** Attempts after the network crashed or took too long, and the time between attempts, in milliseconds. */
const MAX_FAILURES = 3;
const PAUSE_MS = 1000;

/**
 * Returns a function that runs the network for a task: one call at a time, behind those of users, again if too many wait
 * or the network is restarting. `lane` is no user's id.
 */
export function patientDextr(dextr: Dextr, lane: number, signal: AbortSignal) {
  const turns = new SerialQueue();
  return (call: Pick<DextrCall, "job" | "read">): Promise<Rings> =>
    turns.add(async () => {
      for (let failures = 0; ; ) {
        signal.throwIfAborted();
        try {
          return (await dextr.outline({ ...call, userId: lane, signal })).rings;
        } catch (error) {
          signal.throwIfAborted();
          const isBusy = error instanceof HttpError && error.status === 429;
          const isRestarting = error instanceof HttpError && error.status === 503 && error.headers !== undefined;
          if (!isBusy && (!isRestarting || ++failures > MAX_FAILURES)) throw error;
          await wait(PAUSE_MS, undefined, { signal });
        }
      }
    });
}
