import type { z } from "zod";
import { getUser, logout } from "../../../shared/api/accounts/user";
import type { Given, Parts } from "../../../shared/api/protocol/address";
import type { Call, OutputOf } from "../../../shared/api/protocol/call";
import { fillForm, makeClient, parseResponse } from "../../../shared/api/protocol/client";
import { COMMAND_HEADER, FROM_PAGE, INSTALLATION_HEADER, USER_HEADER } from "../../../shared/api/protocol/headers";
import {
  errorOfResponse,
  NoResponseError,
  RequestError,
  unreachableError,
} from "../../../shared/api/protocol/requestError";
import { anySignal } from "../../../shared/async/signals";
import { beginCommand, isCommand, mayBeExecuted } from "./commands";
import { answersTo, findLocally } from "./localAnswers";
import { currentInstallation, currentUserId, reportOtherOwner } from "./pageOwner";
import { confirmAway, getReach, isFromServer, noteResponse } from "./reachability";
import { requestOrLocal } from "./requestOrLocal";
import { isWithoutResponse, retryWhileUnreachable } from "./retryWhileUnreachable";
import { sessionSignal } from "./sessionCalls";
import { address, baseUrl } from "./url";

export { NoResponseError, RequestError } from "../../../shared/api/protocol/requestError";
export { url } from "./url";

/** Calls that name no installation and user: `getUser` returns both, and `logout` is valid for all. */
const FOR_ANY_OWNER: readonly Call[] = [getUser, logout];

const MINUTE_MS = 60_000;
/** Pause before a command is sent again after its connection broke, in milliseconds. */
const RETRY_MS = 1_000;
/** Assumed upload speed of a slow connection, for the time limit of long bodies. */
const CHARACTERS_PER_MS = 4;
/** Time limit without upload progress, and for the server to process the files, in minutes. */
const UPLOAD_MINUTES = 3;

/**
 * Returns the headers that prove that a call comes from our own pages, and name the installation of its ids and the
 * page's user. Calls that outlive the session name their user themselves.
 */
function ownHeaders(call: Call, { outlivesSession = false, userId: named }: RequestOptions): Record<string, string> {
  const isForAny = call.access === "public" || FOR_ANY_OWNER.includes(call);
  const installation = isForAny ? null : currentInstallation();
  const userId = named ?? (isForAny || outlivesSession ? null : currentUserId());
  return {
    [FROM_PAGE.name]: FROM_PAGE.value,
    ...(installation !== null && { [INSTALLATION_HEADER]: installation }),
    ...(userId !== null && { [USER_HEADER]: String(userId) }),
  };
}

/** Reports a refusal because of another installation or user, which concerns the whole page. Returns the error. */
function reportIfOtherOwner<T>(error: T): T {
  const isOther = error instanceof RequestError && (error.code === "other_installation" || error.code === "other_user");
  if (isOther) reportOtherOwner();
  return error;
}

interface RequestOptions {
  signal?: AbortSignal;
  /**
   * True for calls that continue when the session ends: calls about the session itself, and edits, which name their
   * user.
   */
  outlivesSession?: boolean;
  /**
   * User whose session the call needs, if not the page's user. Fails with 409 `other_user` in another user's session.
   */
  userId?: number | undefined;
  /** True for commands that the server cannot recognise when they arrive again, so that the caller repeats them. */
  isSentOnce?: boolean;
  /** True for reads that fail after two seconds without a response even if no local data can replace it. */
  isHasty?: boolean;
  /** Time until the response must begin, in milliseconds, if that may take longer than a minute. */
  patienceMs?: number;
}

/**
 * Makes the declared call and returns its JSON. Calls without `output` return undefined: use `url` for files. Commands
 * are sent again if the connection breaks; the server executes them once, however often they arrive. While the server
 * is known to be away, commands that this browser can execute are executed here and sent to the server later, unless
 * the server may have executed them before. Throws `RequestError`, the signal's reason if aborted, and `SessionEnded`
 * when the user's session ends.
 */
export async function request<C extends Call>(
  call: C,
  given?: Given<C>,
  options: RequestOptions = {},
): Promise<OutputOf<C>> {
  const { outlivesSession = call.access === "public" } = options;
  if (!isCommand(call)) return read(call, given, { ...options, outlivesSession });
  if (outlivesSession) return send(call, given, { ...options, outlivesSession });
  const parts = (given ?? {}) as Parts;
  const done = getReach() === "away" && !mayBeExecuted(call, parts) ? await doLocally(call, parts) : undefined;
  if (done !== undefined) return done as OutputOf<C>;
  const command = beginCommand(call, parts);
  const session = sessionSignal();
  const sendOnce = () => {
    session.throwIfAborted();
    return send(call, given, options, { [COMMAND_HEADER]: command.id });
  };
  try {
    const tries = options.isSentOnce ? 1 : 2;
    const output = await retryWhileUnreachable(sendOnce, { tries, pause: RETRY_MS, signal: options.signal });
    command.end(true);
    return output;
  } catch (error) {
    command.end(!isOutcomeUnknown(error));
    throw error;
  }
}

/**
 * Executes a command in this browser while the server is away. Returns its output; undefined if that is not possible.
 */
const doLocally = async (call: Call, parts: Parts): Promise<unknown> => findLocally(await answersTo(call), call, parts);

/** Makes a call that changes nothing. Returns local data while the server is away. */
async function read<C extends Call>(
  call: C,
  given: Given<C> | undefined,
  options: RequestOptions,
): Promise<OutputOf<C>> {
  const { signal, stop } = anySignal([options.signal, options.outlivesSession ? undefined : sessionSignal()]);
  try {
    const output = await requestOrLocal(call, (given ?? {}) as Parts, {
      send: (signal) => send(call, given, { ...options, signal }),
      signal,
      isHasty: options.isHasty ?? false,
    });
    return output as OutputOf<C>;
  } finally {
    stop();
  }
}

/** Returns true if a failed command may have been executed: no response came, or one that is not from our server. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  !(error instanceof RequestError) || error.status < 400 || error.status >= 500;

async function send<C extends Call>(
  call: C,
  given: Given<C> | undefined,
  options: RequestOptions,
  headers?: Record<string, string>,
): Promise<OutputOf<C>> {
  const { signal: own, outlivesSession, patienceMs = MINUTE_MS } = options;
  const patience = new AbortController();
  const { signal, stop } = anySignal([own, outlivesSession ? undefined : sessionSignal(), patience.signal]);
  const client = makeClient({
    url: baseUrl().href,
    headers: { ...ownHeaders(call, options), ...headers },
    fetch: async (address, init) => {
      const limit = patienceMs + (typeof init.body === "string" ? init.body.length / CHARACTERS_PER_MS : 0);
      const timer = setTimeout(() => patience.abort(new NoResponseError(call.title, 1, isCommand(call))), limit);
      try {
        const response = await fetch(address, { ...init, credentials: "same-origin", signal });
        if (isFromServer(response)) noteResponse();
        return response;
      } finally {
        clearTimeout(timer);
      }
    },
    FormData,
  });
  try {
    return await client.request(call, given);
  } catch (error) {
    signal.throwIfAborted();
    if (isCommand(call) && isWithoutResponse(error)) void confirmAway();
    throw reportIfOtherOwner(error);
  } finally {
    stop();
  }
}

export interface UploadGiven<C extends Call> {
  params?: C["params"] extends z.ZodType ? z.input<C["params"]> : undefined;
  query?: C["query"] extends z.ZodType ? z.input<C["query"]> : undefined;
  /** Additional form fields; a list is sent as a repeated field. */
  fields?: Record<string, string | number | readonly string[]>;
  files: readonly Blob[];
  /** Called with the fraction of the body that has been sent, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** Sends files as multipart. Uses XMLHttpRequest, because fetch reports no upload progress. Throws like `request`. */
export function upload<C extends Call>(call: C, given: UploadGiven<C>): Promise<OutputOf<C>> {
  const { params, query, onProgress } = given;
  const patience = new AbortController();
  const { signal, stop } = anySignal([given.signal, sessionSignal(), patience.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    const giveUp = () => patience.abort(new NoResponseError(call.title, UPLOAD_MINUTES, true));
    timer = setTimeout(giveUp, UPLOAD_MINUTES * MINUTE_MS);
  };
  return new Promise<OutputOf<C>>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const xhr = new XMLHttpRequest();
    restartTimer();
    signal.addEventListener("abort", () => xhr.abort(), { once: true });
    xhr.open(call.method, address(call, { params, query } as Parts));
    for (const [name, value] of Object.entries(ownHeaders(call, {}))) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = (event) => {
      restartTimer();
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    xhr.onabort = () => reject(signal.reason);
    xhr.onerror = () => reject(unreachableError(call.title));
    xhr.onload = () => {
      const { status, responseText } = xhr;
      if (status < 200 || status > 299)
        return reject(
          reportIfOtherOwner(errorOfResponse(call.title, status, responseText, xhr.getResponseHeader("Retry-After"))),
        );
      try {
        resolve(parseResponse(call, status, responseText));
      } catch (error) {
        reject(error);
      }
    };
    const form = new FormData();
    fillForm<Blob>(form, call, given);
    xhr.send(form);
  }).finally(() => {
    clearTimeout(timer);
    stop();
  });
}
