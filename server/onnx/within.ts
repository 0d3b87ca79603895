import { withinTime } from "../../shared/async/timeLimit";
import { TookTooLong } from "./failure";

/** Returns the promise's result, or rejects with TookTooLong after `ms` milliseconds. */
export const within = <T>(ms: number, promise: Promise<T>): Promise<T> =>
  withinTime(ms, promise, () => new TookTooLong());
