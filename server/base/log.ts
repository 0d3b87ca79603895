import { type LoggerOptions, pino } from "pino";
import { currentRequestId } from "./requestId";
import { currentTraces } from "./traces";

/** Adds the ids of the request and of the trace for which a line is written. */
export const LOG_OPTIONS: LoggerOptions = {
  base: undefined,
  level: "info",
  mixin() {
    const request = currentRequestId();
    const trace_id = currentTraces()?.traceId();
    return { ...(request !== undefined && { request }), ...(trace_id !== undefined && { trace_id }) };
  },
};

/** The server's log: one JSON line per message on standard output. `main` sets the level from the environment. */
export const log = pino(LOG_OPTIONS);

/** Writes a warning with its details. */
type Warn = (details: object, message: string) => void;

/**
 * Returns a function for warnings that may occur thousands of times. The first warning is logged immediately. Of those
 * in the next `everyMs` milliseconds, only the last is logged, when that time has passed, with their number in `times`.
 */
export function warnSeldom(everyMs = 60_000, write: Warn = (details, message) => log.warn(details, message)): Warn {
  let timer: NodeJS.Timeout | undefined;
  let held: { details: object; message: string; times: number } | undefined;
  const release = () => {
    timer = undefined;
    if (!held) return;
    const { details, message, times } = held;
    held = undefined;
    begin();
    write({ ...details, times }, message);
  };
  const begin = () => {
    timer = setTimeout(release, everyMs);
    timer.unref();
  };
  return (details, message) => {
    if (timer) {
      held = { details, message, times: (held?.times ?? 0) + 1 };
      return;
    }
    begin();
    write(details, message);
  };
}
