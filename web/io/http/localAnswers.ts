import type { Parts } from "../../../shared/api/protocol/address";
import type { Call } from "../../../shared/api/protocol/call";
import type { OnDemand } from "../../../shared/async/onDemand";

/** Source of responses to declared calls from data in this browser, so that pages work while the server is away. */
export interface LocalAnswers {
  /** Returns true if this call can be answered locally in principle, so that the wait for the server is limited. */
  covers(call: Call): boolean;
  /** Returns the call's output, or undefined if this browser lacks the data. */
  find(call: Call, parts: Parts): Promise<unknown>;
  /** Receives the output of each covered call that the server has answered. */
  note(call: Call, parts: Parts, output: unknown): void;
}

/** The source of one user, whose code is loaded when it is first needed. */
type Source = OnDemand<LocalAnswers>;

let current: Source | undefined;

/** Sets the source of local answers; undefined while no user is logged in, and before another one logs in. */
export function setLocalAnswers(source: Source | undefined): void {
  current = source;
}

/** Returns the source of the current user, for a call that may end in another user's session. */
export const currentAnswers = (): Source | undefined => current;

/** Loads the source. Returns it if it covers the call; undefined if it does not, or cannot be loaded. */
export async function answersTo(call: Call, from: Source | undefined = current): Promise<LocalAnswers | undefined> {
  const answers = await from?.get().catch(() => undefined);
  return answers?.covers(call) ? answers : undefined;
}

/** Passes the output of a call that the server has answered to the source. Waits until other code loads the source. */
export async function noteOutput(from: Source | undefined, call: Call, parts: Parts, output: unknown): Promise<void> {
  const answers = await from?.loaded;
  if (answers?.covers(call)) answers.note(call, parts, output);
}

/** Returns the call's output from this browser, or undefined. Storage that fails counts as empty. */
export const findLocally = async (source: LocalAnswers | undefined, call: Call, parts: Parts): Promise<unknown> =>
  source?.find(call, parts).catch(() => undefined);
