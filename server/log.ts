import { pino } from "pino";

/** The server's log: one JSON line a message on standard output. `main` sets the level from the environment. */
export const log = pino({ base: undefined, level: "info" });
