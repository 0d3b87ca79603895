import { Agent, type IncomingMessage, request as startRequest } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/** A response; `body` is the parsed JSON, or undefined if there is none. */
export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  body: ReturnType<JSON["parse"]>;
}

export interface RequestMore {
  headers?: Record<string, string>;
  /** Sent unchanged, instead of `json`. */
  body?: string | FormData | Uint8Array<ArrayBuffer>;
  json?: unknown;
  method?: string;
}

/**
 * Keeps connections open between requests, as `fetch` does. Closes them long before the server does, so that no request
 * is sent on a connection that is just being closed.
 */
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** Headers that `fetch` adds to each request. */
const FETCH_HEADERS = {
  Accept: "*/*",
  "Accept-Language": "*",
  "Sec-Fetch-Mode": "cors",
  "User-Agent": "node",
  "Accept-Encoding": "gzip, deflate",
};

const DECODERS: Record<string, (data: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Sends HTTP requests to a server like a page or a script, and stores its cookies. Paths are relative to /api/. */
export class TestClient {
  readonly cookies = new Map<string, string>();
  /** Sent with every request. */
  headers: Record<string, string> = { "X-Requested-With": "fetch" };

  constructor(readonly url: string) {}

  /**
   * Returns another browser with the same cookies and headers. Cookies it receives do not affect the original's
   * session.
   */
  copy(): TestClient {
    const copy = new TestClient(this.url);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    copy.headers = { ...this.headers };
    return copy;
  }

  get(path: string, more?: RequestMore): Promise<TestResponse> {
    return this.request("GET", path, more);
  }

  post(path: string, json?: unknown, more?: RequestMore): Promise<TestResponse> {
    return this.request("POST", path, { json, ...more });
  }

  put(path: string, json?: unknown, more?: RequestMore): Promise<TestResponse> {
    return this.request("PUT", path, { json, ...more });
  }

  delete(path: string, more?: RequestMore): Promise<TestResponse> {
    return this.request("DELETE", path, more);
  }

  async request(method: string, path: string, more: RequestMore = {}): Promise<TestResponse> {
    const isJson = more.json !== undefined;
    const { status, headers, text } = await this.send(method, path, {
      ...more,
      body: isJson ? JSON.stringify(more.json) : more.body,
      headers: { ...(isJson && { "Content-Type": "application/json" }), ...more.headers },
    });
    const holdsJson = headers.get("content-type")?.includes("json") && text !== "";
    return { status, headers, text, body: holdsJson ? JSON.parse(text) : undefined };
  }

  /** Sends a request without `fetch`, which takes several times the CPU time, unless it has a form. */
  private async send(method: string, path: string, more: RequestMore): Promise<Omit<TestResponse, "body">> {
    const { body } = more;
    const address = this.addressOf(path);
    if (body instanceof FormData || address.protocol !== "http:") {
      const response = await this.fetch(method, path, more);
      return { status: response.status, headers: response.headers, text: await response.text() };
    }
    const sent = new Headers({ ...FETCH_HEADERS, ...this.headersOf(more) });
    if (typeof body === "string" && !sent.has("content-type")) sent.set("Content-Type", "text/plain;charset=UTF-8");
    // Without a length, the body of a DELETE would be sent unframed.
    if (body !== undefined && !sent.has("content-length")) sent.set("Content-Length", String(Buffer.byteLength(body)));
    return new Promise((resolve, reject) => {
      const request = startRequest(address, { method, agent, headers: Object.fromEntries(sent) }, (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => {
          try {
            const headers = this.receive(response);
            const data = Buffer.concat(pieces);
            const decode = DECODERS[headers.get("content-encoding") ?? ""];
            const text = new TextDecoder().decode(decode && data.length > 0 ? decode(data) : data);
            resolve({ status: response.statusCode ?? 0, headers, text });
          } catch (error) {
            reject(error);
          }
        });
      });
      request.on("error", reject);
      request.end(body);
    });
  }

  /**
   * Returns the raw response, for files and streams. A path that begins with a slash is relative to the server's root.
   */
  async fetch(method: string, path: string, more: RequestMore = {}): Promise<Response> {
    const response = await fetch(this.addressOf(path), {
      method,
      body: more.body,
      redirect: "manual",
      headers: this.headersOf(more),
    });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  private addressOf(path: string): URL {
    return path.startsWith("/") ? new URL(path, this.url) : new URL(`api/${path}`, this.url);
  }

  private headersOf({ headers }: RequestMore): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { ...this.headers, ...(cookie && { Cookie: cookie }), ...headers };
  }

  /** Stores the cookies of a response. Returns its headers. */
  private receive({ rawHeaders }: IncomingMessage): Headers {
    const headers = new Headers();
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
    for (const line of headers.getSetCookie()) this.keep(line);
    return headers;
  }

  private keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
