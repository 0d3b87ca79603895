import type { Parts } from "../../../shared/api/protocol/address";
import type { Call } from "../../../shared/api/protocol/call";
import { unreachableError } from "../../../shared/api/protocol/requestError";
import { anySignal } from "../../../shared/async/signals";
import { answersTo, currentAnswers, findLocally, noteOutput } from "./localAnswers";
import { confirmAway, getReach, watchForSilence } from "./reachability";
import { isWithoutResponse } from "./retryWhileUnreachable";

interface Options {
  /** Sends the call to the server. */
  send: (signal: AbortSignal) => Promise<unknown>;
  /** Aborts the whole call. */
  signal: AbortSignal;
  /** True if the call fails after two seconds of silence even if no local data covers it. */
  isHasty: boolean;
}

/**
 * Makes a call that reads. A call that local data covers gets it at once while the server is away, and after two
 * seconds at most if the server is silent. Errors that the server responds with are passed on, never replaced by local
 * data. Throws RequestError, or the signal's reason if aborted.
 */
export async function requestOrLocal(call: Call, parts: Parts, { send, signal, isHasty }: Options): Promise<unknown> {
  const source = currentAnswers();
  const answers = () => answersTo(call, source);
  const findHere = async () => {
    const found = await findLocally(await answers(), call, parts);
    signal.throwIfAborted();
    return found;
  };
  if (getReach() === "away") {
    const found = await findHere();
    if (found !== undefined) return found;
  }
  const isLimited = async () => isHasty || (await answers()) !== undefined;
  try {
    const output = await sendUntilSilent(call, { send, signal, isLimited });
    void noteOutput(source, call, parts, output);
    return output;
  } catch (error) {
    signal.throwIfAborted();
    if (!isWithoutResponse(error)) throw error;
    const isAway = confirmAway();
    const found = (await answers()) && (await isAway) ? await findHere() : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

interface Sending extends Omit<Options, "isHasty"> {
  /** Resolves with true if the call ends when the server is silent. */
  isLimited: () => Promise<boolean>;
}

/** Sends the call. If the server is silent, aborts the call and throws as if the server could not be reached. */
async function sendUntilSilent(call: Call, { send, signal, isLimited }: Sending): Promise<unknown> {
  const own = new AbortController();
  const either = anySignal([signal, own.signal]);
  const watch = watchForSilence();
  const sent = send(either.signal);
  const given = watch.silence.then(async () => {
    if (!(await isLimited())) return sent;
    own.abort();
    throw unreachableError(call.title);
  });
  try {
    return await Promise.race([sent, given]);
  } finally {
    watch.stop();
    either.stop();
  }
}
