import { HttpError, unavailable } from "../base/errors";

/** Failures of the network's thread, and the response that the caller gets. */

/** The thread ended. */
export class ThreadLost extends Error {}

export class TookTooLong extends Error {
  constructor() {
    super("It takes too long.");
  }
}

/** The network cannot be opened. `isAbsent`: the package onnxruntime-node is not there. The message is a sentence. */
export class CannotOpen extends Error {
  constructor(
    reason: string,
    readonly isAbsent: boolean,
  ) {
    super(reason);
  }
}

/** 503; with Retry-After where another try makes sense. What is no failure of the network stays as it is. */
export function answerTo(error: unknown): unknown {
  if (error instanceof CannotOpen) return new HttpError(503, error.isAbsent ? ABSENT : UNUSABLE);
  if (error instanceof TookTooLong) return unavailable("DEXTR took too long and was stopped. Please try again.");
  if (error instanceof ThreadLost) return unavailable("DEXTR broke down and is started again. Please try again.");
  return error;
}

const ABSENT = "DEXTR cannot run on this server: the package onnxruntime-node is not installed there.";
const UNUSABLE = "DEXTR cannot run on this server: its network cannot be opened; the server's log says why.";
