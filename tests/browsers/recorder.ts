import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

/** A proxy on loopback whose pages record their errors, for browsers whose drivers do not report the console. */
export interface Recorder {
  /** URL of the server's pages, with a trailing slash. */
  url: string;
  close(): Promise<void>;
}

const SCRIPT = "recorder.js";
const KEY = "recorded errors";

/** Expression for the errors recorded in this tab. */
export const RECORDED = `JSON.parse(sessionStorage.getItem(${JSON.stringify(KEY)}) ?? "[]")`;

/** Text of the script: it must be a file, since the pages allow no inline scripts. */
const source = `(() => {
  const record = (text) => sessionStorage.setItem(${JSON.stringify(KEY)}, JSON.stringify([...${RECORDED}, location.pathname + ": " + text]));
  addEventListener("error", ({ message, filename, lineno }) => record(message + " (" + filename + ":" + lineno + ")"));
  addEventListener("unhandledrejection", ({ reason }) => record("not handled: " + (reason?.stack ?? reason)));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    record("refused by " + violatedDirective + ": " + blockedURI));
  const { error } = console;
  console.error = (...values) => {
    record(values.map(String).join(" "));
    error.apply(console, values);
  };
})();`;

/**
 * Starts the proxy of a server. It adds the script to the head of documents, and passes on everything else unchanged.
 */
export async function startRecorder(serverUrl: string): Promise<Recorder> {
  const { port: serverPort, pathname } = new URL(serverUrl);
  const sockets = new Set<Duplex>();

  function passOn(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, headers, url: path = "/" } = incoming;
    if (path === `${pathname}${SCRIPT}`) {
      outgoing.writeHead(200, { "Content-Type": "text/javascript" }).end(source);
      return;
    }
    const isPage = headers.accept?.includes("text/html") || path.endsWith("index.html");
    const sent = isPage ? { ...headers, "accept-encoding": "identity", "if-none-match": "" } : headers;
    const upstream = request({ port: serverPort, host: "127.0.0.1", method, path, headers: sent });
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => outgoing.writableFinished || upstream.destroy());
    upstream.on("response", (response) => {
      response.on("error", () => outgoing.destroy());
      if (isPage && response.headers["content-type"]?.startsWith("text/html")) void sendPage(response, outgoing);
      else {
        outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, response.rawHeaders);
        response.pipe(outgoing);
      }
    });
    incoming.on("error", () => upstream.destroy()).pipe(upstream);
  }

  async function sendPage(response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece);
    const { "content-length": _, etag: __, ...headers } = response.headers;
    const text = Buffer.concat(pieces).toString();
    outgoing.writeHead(response.statusCode ?? 502, headers);
    outgoing.end(text.replace("<head>", `<head><script src="${pathname}${SCRIPT}"></script>`));
  }

  function upgrade(incoming: IncomingMessage, page: Duplex, head: Buffer): void {
    const { method, url = "/", httpVersion, rawHeaders } = incoming;
    const server = connect(Number(serverPort), "127.0.0.1");
    for (const end of [page, server]) sockets.add(end.on("close", () => sockets.delete(end)));
    const lines = [`${method} ${url} HTTP/${httpVersion}`];
    for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
    server.write(`${lines.join("\r\n")}\r\n\r\n`);
    server.write(head);
    page.pipe(server).pipe(page);
    for (const [one, other] of [
      [page, server],
      [server, page],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  }

  const proxy = createServer(passOn).on("upgrade", upgrade);
  await new Promise<void>((resolve, reject) => proxy.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = address && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}
