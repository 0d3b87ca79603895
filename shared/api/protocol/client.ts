import { addressOf, type Given, type Parts } from "./address";
import { basicOf, type Credentials } from "./basic";
import type { Call, OutputOf } from "./call";
import { failed, unreachable } from "./requestError";

/** HTTP for a client: `fetch` and `FormData` of browsers or Node, whose types this folder does not have. */
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
  /** Name and password, where there is no token. */
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
 * A client of declared calls: types of what goes in and comes out are the declaration's. Whatever fails is thrown as
 * `RequestError`, with status 0 where the server cannot be reached.
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
    throw failed(call.title, reply.status, text, reply.headers.get("Retry-After"));
  }

  return {
    /** Makes the call and returns its JSON; undefined where a file is answered: see `download`. */
    async request<C extends Call>(call: C, given?: Given<C>): Promise<OutputOf<C>> {
      const parts = (given ?? {}) as Parts;
      const hasBody = parts.body !== undefined && call.method !== "GET";
      const reply = await send(call, parts, hasBody ? JSON.stringify(parts.body) : undefined);
      return parse(call, reply.status, await reach(call, () => reply.text()));
    },

    /** Makes a call that answers a file, and returns the response: its body can be streamed. */
    download<C extends Call>(call: C, given?: Given<C>): Promise<Reply> {
      return send(call, (given ?? {}) as Parts);
    },

    /** Sends files as multipart. A `File` has its name. */
    async upload<C extends Call, File>(call: C, given: UploadGiven<C, File>): Promise<OutputOf<C>> {
      const form = new options.FormData();
      fillForm(form as AnyForm<unknown>, call, given);
      const reply = await send(call, given as Parts, form);
      return parse(call, reply.status, await reach(call, () => reply.text()));
    },
  };
}

async function reach<T>({ title }: Call, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch {
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

/** Fields come first, so that a server that reads the body in order knows them before the files. */
export function fillForm<File>(
  form: AnyForm<File>,
  call: Call,
  { fields = {}, files }: { fields?: Fields; files: readonly File[] },
): void {
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item));
  for (const file of files) form.append(call.upload?.field ?? "file", file);
}
