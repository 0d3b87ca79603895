import type { z } from "zod";
import type { Call, OutputOf } from "../../shared/api/call";
import { failed, unreachable } from "./requestError";
import { address, type Given, type Parts } from "./url";

export { RequestError } from "./requestError";
export { url } from "./url";

/** Proof that a call comes from our own pages (design: "Whence a call comes"). */
const OURS = { "X-Requested-With": "limn" };

/**
 * Makes the declared call and answers its JSON. Calls without `output` answer undefined: use `url` for files.
 * Throws `RequestError`; an abort by `signal` throws the signal's reason.
 */
export async function request<C extends Call>(
  call: C,
  given?: Given<C>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<OutputOf<C>> {
  const parts = (given ?? {}) as Parts;
  const { body } = parts;
  const hasBody = body !== undefined && call.method !== "GET";
  const response = await reach(call.title, signal, () =>
    fetch(address(call, parts), {
      method: call.method,
      headers: hasBody ? { ...OURS, "Content-Type": "application/json" } : OURS,
      body: hasBody ? JSON.stringify(body) : undefined,
      credentials: "same-origin",
      signal,
    }),
  );
  const text = await reach(call.title, signal, () => response.text());
  if (!response.ok) throw failed(call.title, response.status, text, response.headers.get("Retry-After"));
  return parse(call, response.status, text);
}

async function reach<T>(title: string, signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch {
    signal?.throwIfAborted();
    throw unreachable(title);
  }
}

/** The answer is what the declaration says: the server's own tests hold it to that, so it is not checked twice. */
export function parse<C extends Call>(call: C, status: number, text: string): OutputOf<C> {
  if (!call.output) return undefined as OutputOf<C>;
  try {
    return JSON.parse(text) as OutputOf<C>;
  } catch {
    throw failed(call.title, status, JSON.stringify({ message: "The server's answer cannot be read." }), null);
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
  const { params, query, files, fields = {}, onProgress, signal } = given;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    signal?.addEventListener("abort", abort, { once: true });
    xhr.open(call.method, address(call, { params, query } as Parts));
    for (const [name, value] of Object.entries(OURS)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total);
    xhr.onabort = () => reject(signal?.reason);
    xhr.onerror = () => reject(unreachable(call.title));
    xhr.onload = () => {
      const { status, responseText } = xhr;
      if (status < 200 || status > 299)
        return reject(failed(call.title, status, responseText, xhr.getResponseHeader("Retry-After")));
      try {
        resolve(parse(call, status, responseText));
      } catch (error) {
        reject(error);
      }
    };
    xhr.onloadend = () => signal?.removeEventListener("abort", abort);
    xhr.send(form(call, fields, files));
  });
}

/** Fields come first, so that a server that reads the body in order knows them before the files. */
function form(call: Call, fields: NonNullable<UploadGiven<Call>["fields"]>, files: readonly Blob[]): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? value : [value]) data.append(name, String(item));
  for (const file of files) data.append(call.upload?.field ?? "file", file);
  return data;
}
