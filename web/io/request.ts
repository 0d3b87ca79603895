import type { z } from "zod";
import type { Given, Parts } from "../../shared/api/address";
import type { Call, OutputOf } from "../../shared/api/call";
import { fillForm, makeClient, parse } from "../../shared/api/client";
import { FROM_PAGE, INSTALLATION_HEADER } from "../../shared/api/headers";
import { failed, RequestError, unreachable } from "../../shared/api/requestError";
import { getUser, logout } from "../../shared/api/user";
import { anySignal } from "../../shared/async/signals";
import { currentInstallation, reportOtherInstallation } from "./installation";
import { sessionSignal } from "./sessionCalls";
import { address, baseUrl } from "./url";

export { RequestError } from "../../shared/api/requestError";
export { url } from "./url";

/** Calls that bring the installation's id, or that hold in any. */
const ANYWHERE: readonly Call[] = [getUser, logout];

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
}

/**
 * Makes the declared call and answers its JSON. Calls without `output` answer undefined: use `url` for files.
 * Throws `RequestError`; an abort by `signal` throws the signal's reason, the end of the user's session `SessionEnded`.
 */
export async function request<C extends Call>(
  call: C,
  given?: Given<C>,
  { signal: own, outlivesSession = call.access === "public" }: RequestOptions = {},
): Promise<OutputOf<C>> {
  const { signal, stop } = anySignal([own, outlivesSession ? undefined : sessionSignal()]);
  const client = makeClient({
    url: baseUrl().href,
    headers: ours(call),
    fetch: (address, init) => fetch(address, { ...init, credentials: "same-origin", signal }),
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

/** Sends files as multipart. By XMLHttpRequest, because fetch tells no progress of what it sends. Throws as `request`. */
export function upload<C extends Call>(call: C, given: UploadGiven<C>): Promise<OutputOf<C>> {
  const { params, query, onProgress } = given;
  const { signal, stop } = anySignal([given.signal, sessionSignal()]);
  return new Promise<OutputOf<C>>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const xhr = new XMLHttpRequest();
    signal.addEventListener("abort", () => xhr.abort(), { once: true });
    xhr.open(call.method, address(call, { params, query } as Parts));
    for (const [name, value] of Object.entries(ours(call))) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total);
    xhr.onabort = () => reject(signal.reason);
    xhr.onerror = () => reject(unreachable(call.title));
    xhr.onload = () => {
      const { status, responseText } = xhr;
      if (status < 200 || status > 299)
        return reject(reported(failed(call.title, status, responseText, xhr.getResponseHeader("Retry-After"))));
      try {
        resolve(parse(call, status, responseText));
      } catch (error) {
        reject(error);
      }
    };
    const form = new FormData();
    fillForm<Blob>(form, call, given);
    xhr.send(form);
  }).finally(stop);
}
