import { setTimeout as wait } from "node:timers/promises";
import { SerialQueue } from "../../shared/async/serialQueue";
import type { Rings } from "../../shared/entities/shape";
import { HttpError } from "../base/errors";
import type { Dextr, DextrCall } from "./dextr";

/** Maximum number of repeats after the network crashed or took too long, and the pause before each, in milliseconds. */
const MAX_FAILURES = 3;
const PAUSE_MS = 1000;

/** Returns a function that runs the network for a task, as `patientCalls` does. */
export function patientDextr(dextr: Pick<Dextr, "outline">, lane: number, signal: AbortSignal, isHeld?: () => boolean) {
  const patient = patientCalls(signal, isHeld);
  return (call: Pick<DextrCall, "job" | "read">): Promise<Rings> =>
    patient(async () => (await dextr.outline({ ...call, userId: lane, signal })).rings);
}

/**
 * Returns a function that makes calls to the network for a task: one at a time, after the calls of users. Repeats a
 * call if too many calls are waiting or the network is restarting. The calls must name a lane that is not a user's id.
 * Waits while `isHeld` returns true.
 */
export function patientCalls(signal: AbortSignal, isHeld: () => boolean = () => false) {
  const turns = new SerialQueue();
  return <T>(call: () => Promise<T>): Promise<T> =>
    turns.add(async () => {
      for (let failures = 0; ; ) {
        signal.throwIfAborted();
        while (isHeld()) await wait(PAUSE_MS, undefined, { signal });
        try {
          return await call();
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
