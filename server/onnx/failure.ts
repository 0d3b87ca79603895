import { HttpError, unavailable } from "../base/errors";

/** Failures of the DEXTR thread, and the errors shown to the user. */

/** The thread ended before the job was done. */
export class ThreadLost extends Error {}

export class TookTooLong extends Error {
  constructor() {
    super("It takes too long.");
  }
}

/**
 * The model cannot be opened. `isAbsent`: the package onnxruntime-node is not installed. The message is a sentence.
 */
export class CannotOpen extends Error {
  constructor(
    reason: string,
    readonly isAbsent: boolean,
  ) {
    super(reason);
  }
}

/**
 * Returns a 503 for a failure of the DEXTR thread, with Retry-After if a retry makes sense. Returns other errors
 * unchanged.
 */
export function errorForUser(error: unknown): unknown {
  if (error instanceof CannotOpen) return new HttpError(503, error.isAbsent ? ABSENT : UNUSABLE);
  if (error instanceof TookTooLong) return unavailable("DEXTR took too long and was stopped. Please try again.");
  if (error instanceof ThreadLost) return unavailable("DEXTR crashed and is restarting. Please try again.");
  return error;
}

const ABSENT = "DEXTR cannot run on this server: the package onnxruntime-node is not installed there.";
const UNUSABLE = "DEXTR cannot run on this server: its model cannot be opened. The server's log has the reason.";
