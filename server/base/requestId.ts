import { AsyncLocalStorage } from "node:async_hooks";

/** Id of the request for which the running code works, so that all lines of the log about it can be found together. */
const requestId = new AsyncLocalStorage<string>();

/** Runs `work`, and everything it awaits, for a request. */
export const withRequestId = <T>(id: string, work: () => T): T => requestId.run(id, work);

/** Returns the id of the running request; undefined for tasks and upkeep that no request has started. */
export const currentRequestId = (): string | undefined => requestId.getStore();
