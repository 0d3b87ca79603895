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
    const response = await this.fetch(method, path, {
      ...more,
      body: isJson ? JSON.stringify(more.json) : more.body,
      headers: { ...(isJson && { "Content-Type": "application/json" }), ...more.headers },
    });
    const text = await response.text();
    const holdsJson = response.headers.get("content-type")?.includes("json") && text !== "";
    return { status: response.status, headers: response.headers, text, body: holdsJson ? JSON.parse(text) : undefined };
  }

  /**
   * Returns the raw response, for files and streams. A path that begins with a slash is relative to the server's root.
   */
  async fetch(method: string, path: string, more: RequestMore = {}): Promise<Response> {
    const address = path.startsWith("/") ? new URL(path, this.url) : new URL(`api/${path}`, this.url);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, {
      method,
      body: more.body,
      redirect: "manual",
      headers: { ...this.headers, ...(cookie && { Cookie: cookie }), ...more.headers },
    });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  private keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
