import { AsyncLocalStorage } from "node:async_hooks";

/** Name of the user or client for whom the running code works, so that queues can let users take turns. */
const requester = new AsyncLocalStorage<string>();

/** Runs `work`, and everything it awaits, for a requester. */
export const workFor = <T>(name: string, work: () => T): T => requester.run(name, work);

/** Returns the requester of the running work; an empty text for tasks and upkeep. */
export const currentRequester = (): string => requester.getStore() ?? "";
