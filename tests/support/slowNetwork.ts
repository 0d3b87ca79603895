import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { seededRandom } from "./seededRandom";

/** A proxy on loopback that passes everything on to a server, and delays what the server sends to pages. */
export interface SlowNetwork {
  close(): Promise<void>;
}

export interface SlowNetworkOptions {
  /** Port for the pages. */
  port: number;
  /** Port of the server behind the proxy. */
  serverPort: number;
  /** The same seed gives the n-th request of a path the same delay. */
  seed: number;
  /** True makes the first call fail of each kind that pages retry automatically. */
  fails?: boolean;
}

/** Longest delay of a REST response, in milliseconds. */
const RESPONSE_MS = 3_000;
/** Same as the server's: with Node's default of five seconds a connection would often end just when it is reused. */
const KEEP_ALIVE_MS = 65_000;
/** Longest delay of socket messages, in milliseconds; their order is kept. */
const SOCKET_MS = 1_000;

/**
 * Starts the proxy. Delays a page's requests under `api/` and `socket.io/`; files of the application, and calls of the
 * test itself, which carry no `Sec-Fetch-Mode`, pass at once. While the server is down, connections end as they would
 * without a proxy: without a response.
 */
export async function startSlowNetwork({
  port,
  serverPort,
  seed,
  fails = false,
}: SlowNetworkOptions): Promise<SlowNetwork> {
  const agent = new Agent({ keepAlive: true });
  const delayOf = seededDelays(seed);
  const failureOf = fails ? seededFailures(seed) : () => undefined;
  const sockets = new Set<Duplex>();

  async function passOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, headers, url = "/" } = incoming;
    const failure = failureOf(incoming);
    if (failure === "unavailable") {
      incoming.resume();
      outgoing.writeHead(503, { "Content-Type": "text/html" }).end("<h1>Service unavailable</h1>");
      return;
    }
    const upstream = request({ agent, port: serverPort, host: "127.0.0.1", method, path: url, headers });
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => outgoing.writableFinished || upstream.destroy());
    upstream.on("response", async (response) => {
      await wait(isOfPage(incoming) ? delayOf(method ?? "GET", url) : 0);
      if (failure === "cut") outgoing.destroy();
      if (outgoing.destroyed) return void response.destroy();
      outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, response.rawHeaders);
      response.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    incoming.on("error", () => upstream.destroy()).pipe(upstream);
  }

  function upgrade(incoming: IncomingMessage, page: Duplex, head: Buffer): void {
    const { method, url = "/", httpVersion, rawHeaders } = incoming;
    const server = connect(serverPort, "127.0.0.1");
    for (const end of [page, server]) sockets.add(end.on("close", () => sockets.delete(end)));
    const lines = [`${method} ${url} HTTP/${httpVersion}`];
    for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
    server.write(`${lines.join("\r\n")}\r\n\r\n`);
    server.write(head);
    page.pipe(server);
    let last = Promise.resolve();
    const inOrder = (step: () => void) => {
      const delay = wait(delayOf("socket", ""));
      last = last.then(() => delay).then(step);
    };
    server.on("data", (chunk) => inOrder(() => page.writable && page.write(chunk)));
    server.on("end", () => inOrder(() => page.end()));
    server.on("error", () => page.destroy());
    page.on("error", () => server.destroy());
    page.on("close", () => server.destroy());
  }

  const proxy = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (incoming, outgoing) => void passOn(incoming, outgoing),
  ).on("upgrade", upgrade);
  await new Promise<void>((resolve, reject) => proxy.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}

function isOfPage({ headers, url = "" }: IncomingMessage): boolean {
  return headers["sec-fetch-mode"] !== undefined && /\/(api|socket\.io)\//.test(url);
}

/**
 * Returns a function for delays in milliseconds: each depends on the method, the path and how often they were
 * requested.
 */
function seededDelays(seed: number): (method: string, url: string) => number {
  const streams = new Map<string, () => number>();
  return (method, url) => {
    const key = `${method} ${url.split("?")[0]}`;
    let next = streams.get(key);
    if (!next) {
      next = seededRandom(seed ^ hashOf(key));
      next();
      streams.set(key, next);
    }
    return next() * (method === "socket" ? SOCKET_MS : RESPONSE_MS);
  };
}

/** Requests that a page repeats automatically: its lists, and pending edits. Excludes the current user and files. */
const ASKED_AGAIN = [/^GET \S*\/api\/(?!user\/|\S*\/(scan|export)$)/, /^POST \S*\/api\/annotator\/edits$/];

/**
 * Returns a function for failures: the first request of each method and path fails, ignoring numbers in the path.
 * `unavailable`: the server does not receive it. `cut`: the server has processed it, and the connection ends without
 * its response.
 */
function seededFailures(seed: number): (incoming: IncomingMessage) => "unavailable" | "cut" | undefined {
  const known = new Set<string>();
  return ({ method = "GET", url = "", headers }) => {
    const kind = `${method} ${url.split("?")[0]?.replaceAll(/\d+/g, "1")}`;
    const isCall = headers["sec-fetch-dest"] === "empty" && ASKED_AGAIN.some((pattern) => pattern.test(kind));
    if (!isCall || known.has(kind)) return undefined;
    known.add(kind);
    return (hashOf(kind) ^ seed) & 1 ? "cut" : "unavailable";
  };
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
