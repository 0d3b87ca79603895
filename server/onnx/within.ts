import { withinTime } from "../../shared/async/timeLimit";
import { TookTooLong } from "./failure";

/** Returns what the promise brings, or rejects with TookTooLong after so many milliseconds. */
export const within = <T>(ms: number, promise: Promise<T>): Promise<T> =>
  withinTime(ms, promise, () => new TookTooLong());
