import type { z } from "zod";
import type { Given, Parts } from "../../../shared/api/protocol/address";
import type { Call, OutputOf } from "../../../shared/api/protocol/call";
import { fillForm, makeClient, parseResponse } from "../../../shared/api/protocol/client";
import { COMMAND_HEADER, FROM_PAGE, INSTALLATION_HEADER } from "../../../shared/api/protocol/headers";
import {
  errorOfResponse,
  NoResponseError,
  RequestError,
  unreachableError,
} from "../../../shared/api/protocol/requestError";
import { getUser, logout } from "../../../shared/api/user";
import { anySignal } from "../../../shared/async/signals";
import { beginCommand, isCommand } from "./commands";
import { currentInstallation, reportOtherInstallation } from "./installation";
import { patiently } from "./patiently";
import { sessionSignal } from "./sessionCalls";
import { address, baseUrl } from "./url";

export { NoResponseError, RequestError } from "../../../shared/api/protocol/requestError";
export { url } from "./url";

/** Calls that bring the installation's id, or that hold in any. */
const ANYWHERE: readonly Call[] = [getUser, logout];

const MINUTE_MS = 60_000;
/** Until a command is sent again whose connection has broken. */
const AGAIN_MS = 1_000;
/** Speed at which a long body gets to the server over a slow line. */
const CHARACTERS_PER_MS = 4;
/** Time in which files that are sent must get on, and in which the server deals with them. */
const UPLOAD_MINUTES = 3;

/** Proof that a call comes from our own pages, and the installation that its ids belong to. */
function ours(call: Call): Record<string, string> {
  const installation = call.access === "public" || ANYWHERE.includes(call) ? null : currentInstallation();
  return { [FROM_PAGE.name]: FROM_PAGE.value, ...(installation && { [INSTALLATION_HEADER]: installation }) };
}

/** Reports what concerns the whole page, and returns the error. */
function reported<T>(error: T): T {
  if (error instanceof RequestError && error.code === "other_installation") reportOtherInstallation();
  return error;
}

interface RequestOptions {
  signal?: AbortSignal;
  /** Of calls about the session itself, and of edits, which know whose they are: they go on when the session ends. */
  outlivesSession?: boolean;
  /** Milliseconds until its response must begin, where that may take longer than a minute. */
  patienceMs?: number;
}

/**
 * Makes the declared call and returns its JSON. Calls without `output` answer undefined: use `url` for files. What a
 * user commands is sent again where the connection breaks, and is done once, however often it is sent. Throws
 * `RequestError`; an abort by `signal` throws the signal's reason, the end of the user's session `SessionEnded`.
 */
export async function request<C extends Call>(
  call: C,
  given?: Given<C>,
  options: RequestOptions = {},
): Promise<OutputOf<C>> {
  const { outlivesSession = call.access === "public" } = options;
  if (outlivesSession || !isCommand(call)) return send(call, given, { ...options, outlivesSession });
  const command = beginCommand(call, (given ?? {}) as Parts);
  const session = sessionSignal();
  const sendOnce = () => {
    session.throwIfAborted();
    return send(call, given, options, { [COMMAND_HEADER]: command.id });
  };
  try {
    const output = await patiently(sendOnce, { tries: 2, pause: AGAIN_MS, signal: options.signal });
    command.end(true);
    return output;
  } catch (error) {
    command.end(!isOutcomeUnknown(error));
    throw error;
  }
}

/** True if a failed command may have been done all the same: the response has not come, or is somebody else's. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  !(error instanceof RequestError) || error.status < 400 || error.status >= 500;

async function send<C extends Call>(
  call: C,
  given: Given<C> | undefined,
  { signal: own, outlivesSession, patienceMs = MINUTE_MS }: RequestOptions,
  headers?: Record<string, string>,
): Promise<OutputOf<C>> {
  const patience = new AbortController();
  const { signal, stop } = anySignal([own, outlivesSession ? undefined : sessionSignal(), patience.signal]);
  const client = makeClient({
    url: baseUrl().href,
    headers: { ...ours(call), ...headers },
    fetch: async (address, init) => {
      const limit = patienceMs + (typeof init.body === "string" ? init.body.length / CHARACTERS_PER_MS : 0);
      const timer = setTimeout(() => patience.abort(new NoResponseError(call.title, 1, isCommand(call))), limit);
      try {
        return await fetch(address, { ...init, credentials: "same-origin", signal });
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
    throw reported(error);
  } finally {
    stop();
  }
}

export interface UploadGiven<C extends Call> {
  params?: C["params"] extends z.ZodType ? z.input<C["params"]> : undefined;
  query?: C["query"] extends z.ZodType ? z.input<C["query"]> : undefined;
  /** Fields beside the files; a list is sent as a repeated field. */
  fields?: Record<string, string | number | readonly string[]>;
  files: readonly Blob[];
  /** Share of the body that has left, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/**
 * Sends files as multipart. By XMLHttpRequest, because fetch tells no progress of what it sends. Throws as `request`.
 */
export function upload<C extends Call>(call: C, given: UploadGiven<C>): Promise<OutputOf<C>> {
  const { params, query, onProgress } = given;
  const patience = new AbortController();
  const { signal, stop } = anySignal([given.signal, sessionSignal(), patience.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitOn = () => {
    clearTimeout(timer);
    const giveUp = () => patience.abort(new NoResponseError(call.title, UPLOAD_MINUTES, true));
    timer = setTimeout(giveUp, UPLOAD_MINUTES * MINUTE_MS);
  };
  return new Promise<OutputOf<C>>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const xhr = new XMLHttpRequest();
    waitOn();
    signal.addEventListener("abort", () => xhr.abort(), { once: true });
    xhr.open(call.method, address(call, { params, query } as Parts));
    for (const [name, value] of Object.entries(ours(call))) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = (event) => {
      waitOn();
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    xhr.onabort = () => reject(signal.reason);
    xhr.onerror = () => reject(unreachableError(call.title));
    xhr.onload = () => {
      const { status, responseText } = xhr;
      if (status < 200 || status > 299)
        return reject(
          reported(errorOfResponse(call.title, status, responseText, xhr.getResponseHeader("Retry-After"))),
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
