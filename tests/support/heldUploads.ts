import { createServer, request } from "node:http";
import { freePort } from "./freePort";

/**
 * A proxy on loopback that holds back the responses to one kind of upload. Playwright's routes cannot do that for an
 * upload, because the page would not notice that its file was sent.
 */
export interface HeldUploads {
  /** URL for the pages, with a trailing slash. */
  readonly url: string;
  /** Resolves when the server has responded to the upload, and the page has not received the response. */
  arrived: Promise<void>;
  /** Releases the response, and all later ones. */
  release(): void;
  close(): Promise<void>;
}

export async function holdUploads(serverUrl: string, path: RegExp): Promise<HeldUploads> {
  const server = new URL(serverUrl);
  const port = await freePort();
  let arrive = () => {};
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = "/" } = incoming;
    const upstream = request({ host: server.hostname, port: server.port, method, path: url, headers });
    upstream.on("error", () => outgoing.destroy());
    upstream.on("response", async (response) => {
      if (method === "POST" && path.test(url)) {
        arrive();
        await released;
      }
      if (outgoing.destroyed) return void response.destroy();
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}/`,
    arrived,
    release,
    close: () => {
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}
