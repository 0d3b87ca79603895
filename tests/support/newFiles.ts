import { createServer, request } from "node:http";
import { freePort } from "./freePort";

/** A proxy on loopback in front of a server, whose application changes to another version while pages are open. */
export interface NewFiles {
  /** URL for the pages, with a trailing slash. */
  readonly url: string;
  /** Serves a different service worker from now on. */
  publish(): void;
  /**
   * Holds back the responses of a kind of call until `release` is called. Playwright's routes do not see all calls of a
   * page with a service worker.
   */
  hold(path: RegExp): { arrived: Promise<void>; release: () => void };
  close(): Promise<void>;
}

export async function startNewFiles(serverUrl: string): Promise<NewFiles> {
  const server = new URL(serverUrl);
  const port = await freePort();
  let isPublished = false;
  let held: { path: RegExp; arrive: () => void; released: Promise<void> } | undefined;
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = "/" } = incoming;
    const isWorker = url === "/sw.js";
    // Requests neither a compressed nor a "not modified" response, because text is appended to it.
    const headers = isWorker ? { host: incoming.headers.host } : incoming.headers;
    const upstream = request({ host: server.hostname, port: server.port, method, path: url, headers });
    upstream.on("error", () => outgoing.destroy());
    upstream.on("response", async (response) => {
      if (held?.path.test(url)) {
        held.arrive();
        await held.released;
      }
      if (outgoing.destroyed) return void response.destroy();
      const { "content-length": length, ...rest } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, {
        ...rest,
        ...(!isWorker && length && { "content-length": length }),
      });
      response.on("end", () => outgoing.end(isWorker && isPublished ? "\n// the next version\n" : ""));
      response.pipe(outgoing, { end: false });
    });
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve, reject) => proxy.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}/`,
    publish() {
      isPublished = true;
    },
    hold(path) {
      let [arrive, release] = [() => {}, () => {}];
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      held = { path, arrive, released };
      return { arrived, release };
    },
    close: () => {
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}
