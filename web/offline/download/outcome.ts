import { t } from "@lingui/core/macro";
import { RequestError } from "../../../shared/api/protocol/requestError";

/**
 * End of an update. `away`: the server cannot be reached at present. `stopped`: the session or the page has ended, or
 * the user paused. `failed`: `problem` is shown to the user.
 */
export type Outcome =
  | { kind: "complete" }
  | { kind: "away" }
  | { kind: "stopped" }
  | { kind: "failed"; problem: string };

export const fullStorage = (): string =>
  t`The browser's storage is full: free space on this device, choose fewer images or the display size, then try again. Images that are already here can be used.`;

export const refusedStorage = (): string =>
  t`This browser refuses to store files for this page, perhaps because this is a private window, so nothing can be made available offline.`;

/**
 * Returns true for no response (0) and for the responses of a busy server or of a proxy that cannot reach the server.
 */
export const isTemporary = (status: number): boolean => [0, 408, 429, 502, 503, 504].includes(status);

/** Returns the outcome of an update that ended with an error. */
export function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return { kind: "stopped" };
  if (isQuotaError(error)) return { kind: "failed", problem: fullStorage() };
  // Safari refuses to store a file in a private window with this error.
  if (hasName(error, "UnknownError")) return { kind: "failed", problem: refusedStorage() };
  if (!(error instanceof RequestError)) return { kind: "stopped" };
  if (isTemporary(error.status)) return { kind: "away" };
  if (error.status === 401 || error.code === "other_installation") return { kind: "stopped" };
  return { kind: "failed", problem: error.message };
}

/** Returns true if the browser refused to store more. */
export const isQuotaError = (error: unknown): boolean => hasName(error, "QuotaExceededError");

/** Returns true if an error, or one inside it, has this name. Dexie wraps the browser's errors. */
function hasName(error: unknown, name: string): boolean {
  if (typeof error !== "object" || error === null) return false;
  if ("name" in error && error.name === name) return true;
  if ("inner" in error && error.inner !== error && hasName(error.inner, name)) return true;
  return "failures" in error && Array.isArray(error.failures) && error.failures.some((each) => hasName(each, name));
}
