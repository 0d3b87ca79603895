import { codeOf, HttpError, unavailable } from "../../../base/errors";
import { log } from "../../../base/log";

/**
 * Returns the 503 to send if the bucket cannot be used, and logs the reason; returns other errors unchanged. Tasks try
 * again after a 503.
 */
export function storageError(error: unknown): unknown {
  if (error instanceof HttpError || !(error instanceof Error)) return error;
  const found = problemOf(error);
  if (!found) return error;
  log.warn({ err: error }, "the storage failed");
  return unavailable(found.message, found.retrySeconds);
}

/** Returns a message for users, without names of the storage, and seconds after which to retry; undefined for a bug. */
function problemOf(error: Error): { message: string; retrySeconds: number } | undefined {
  const status = statusOf(error);
  if (error.name === "NoSuchBucket") return { message: NO_BUCKET, retrySeconds: 60 };
  if (status === 401 || status === 403 || error.name === "CredentialsProviderError")
    return { message: REFUSED, retrySeconds: 60 };
  if (/quota|full|InsufficientStorage/i.test(error.name) || status === 507) return { message: FULL, retrySeconds: 60 };
  if (status === 503 || status === 429) return { message: BUSY, retrySeconds: 5 };
  if ((status ?? 0) >= 500 || isLost(error)) return { message: SILENT, retrySeconds: 5 };
  return undefined;
}

export const NO_BUCKET = "The storage's bucket does not exist. An administrator must check the setting STORAGE.";
export const REFUSED = "The storage refuses access. An administrator must check its credentials.";
const FULL = "The storage is full.";
const BUSY = "The storage is overloaded. Please try again.";
export const SILENT = "The storage is not responding. Please try again.";

const LOST =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_STREAM_PREMATURE_CLOSE)$/;

/** Returns true if the connection failed, broke or timed out. */
const isLost = (error: Error): boolean => LOST.test(codeOf(error)) || /^(TimeoutError|CutOff)$/.test(error.name);

/** Returns the status of the storage's response; undefined if there was none. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error && "$metadata" in error)) return undefined;
  return (error.$metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
}

/** A response that ended, or stopped, before its last byte. */
export class CutOff extends Error {
  override readonly name = "CutOff";
}
