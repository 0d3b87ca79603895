import type { Parts } from "../../../shared/api/protocol/address";
import type { Call } from "../../../shared/api/protocol/call";

/** Source of responses to declared calls from data in this browser, so that pages work while the server is away. */
export interface LocalAnswers {
  /** Returns true if this call can be answered locally in principle, so that waiting for the server has a limit. */
  covers(call: Call): boolean;
  /** Returns the call's output, or undefined if this browser lacks the data. */
  find(call: Call, parts: Parts): Promise<unknown>;
  /** Receives the output of each covered call that the server has answered. */
  note(call: Call, parts: Parts, output: unknown): void;
}

/** Resolves with undefined if the source cannot be loaded. */
type Source = Promise<LocalAnswers | undefined>;

let answers: Source | undefined;

/**
 * Sets the source of local answers, which may still be loading; undefined while no user is logged in, and before another
 * one logs in.
 */
export function setLocalAnswers(source: LocalAnswers | Promise<LocalAnswers> | undefined): void {
  answers = source && Promise.resolve(source).catch(() => undefined);
}

/** Returns the source that covers the call; undefined if there is none. */
export const answersTo = async (call: Call): Promise<LocalAnswers | undefined> => {
  const source = await answers;
  return source?.covers(call) ? source : undefined;
};

/** Returns the call's output from this browser, or undefined. Storage that fails counts as empty. */
export const findLocally = async (source: LocalAnswers | undefined, call: Call, parts: Parts): Promise<unknown> =>
  source?.find(call, parts).catch(() => undefined);
