import { addressOf, type Given, type Parts } from "./address";
import { basicOf, type Credentials } from "./basic";
import type { Call, OutputOf } from "./call";
import { errorOfResponse, unreachableError } from "./requestError";

/** HTTP for a client: `fetch` and `FormData` of the browser or Node, whose types are not available in this part. */
export interface Http<Reply, Form> {
  fetch(
    address: string,
    init: { method: string; headers: Record<string, string>; body?: string | NoInfer<Form> },
  ): Promise<Reply>;
  FormData: new () => Form;
}

export interface ClientOptions<Reply, Form> extends Http<Reply, Form> {
  /** Address of the application, e.g. `http://localhost:5000/`. */
  url: string;
  /** A personal API token. */
  token?: string;
  /** Name and password, used if there is no token. */
  basic?: Credentials;
  /** Sent with every call. */
  headers?: Record<string, string>;
}

interface AnyReply {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
}

interface AnyForm<File> {
  append(name: string, value: string | File): void;
}

type Fields = Record<string, string | number | readonly string[]>;

/** Input of an upload: files and further fields; a list is sent as a repeated field. */
export interface UploadGiven<C extends Call, File> {
  params?: Given<C> extends { params: infer P } ? P : undefined;
  query?: Given<C> extends { query?: infer Q } ? Q : undefined;
  fields?: Fields;
  files: readonly File[];
}

/**
 * Returns a client for declared calls, whose input and output types come from the declaration. Every failure is thrown
 * as a `RequestError`, with status 0 if the server cannot be reached.
 */
export function makeClient<Reply extends AnyReply, Form extends AnyForm<never>>(options: ClientOptions<Reply, Form>) {
  const base = options.url.replace(/\/*$/, "/");
  const authorization = options.token ? `Bearer ${options.token}` : options.basic && basicOf(options.basic);
  const headers = { ...(authorization && { Authorization: authorization }), ...options.headers };

  async function send(call: Call, parts: Parts, body?: string | Form): Promise<Reply> {
    const json = typeof body === "string" && { "Content-Type": "application/json" };
    const address = base + addressOf(call, parts);
    const reply = await reach(call, () =>
      options.fetch(address, {
        method: call.method,
        headers: { ...headers, ...json },
        ...(body !== undefined && { body }),
      }),
    );
    if (reply.ok) return reply;
    const text = await reach(call, () => reply.text());
    throw errorOfResponse(call.title, reply.status, text, reply.headers.get("Retry-After"));
  }

  return {
    /** Makes the call and returns its JSON, or undefined if the response is a file: see `download`. */
    async request<C extends Call>(call: C, given?: Given<C>): Promise<OutputOf<C>> {
      const parts = (given ?? {}) as Parts;
      const hasBody = parts.body !== undefined && call.method !== "GET";
      const reply = await send(call, parts, hasBody ? JSON.stringify(parts.body) : undefined);
      return parseResponse(call, reply.status, await reach(call, () => reply.text()));
    },

    /** Makes a call whose response is a file, and returns the response so that its body can be streamed. */
    download<C extends Call>(call: C, given?: Given<C>): Promise<Reply> {
      return send(call, (given ?? {}) as Parts);
    },

    /** Sends files as multipart. The name of each comes from its `File`. */
    async upload<C extends Call, File>(call: C, given: UploadGiven<C, File>): Promise<OutputOf<C>> {
      const form = new options.FormData();
      fillForm(form as AnyForm<unknown>, call, given);
      const reply = await send(call, given as Parts, form);
      return parseResponse(call, reply.status, await reach(call, () => reply.text()));
    },
  };
}

async function reach<T>({ title }: Call, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch {
    throw unreachableError(title);
  }
}

/** Returns the JSON of a response. It is not checked against the schema: the server's tests do that. */
export function parseResponse<C extends Call>(call: C, status: number, text: string): OutputOf<C> {
  if (!call.output) return undefined as OutputOf<C>;
  try {
    return JSON.parse(text) as OutputOf<C>;
  } catch {
    throw errorOfResponse(
      call.title,
      status,
      JSON.stringify({ message: "The server's response cannot be read." }),
      null,
    );
  }
}

/** Appends the fields, then the files: a server that reads the body in order needs the fields first. */
export function fillForm<File>(
  form: AnyForm<File>,
  call: Call,
  { fields = {}, files }: { fields?: Fields; files: readonly File[] },
): void {
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item));
  for (const file of files) form.append(call.upload?.field ?? "file", file);
}
