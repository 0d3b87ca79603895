import { createServer, request } from "node:http";
import { freePort } from "./liveServer";

/**
 * A proxy on loopback that holds back the responses to one kind of upload. Playwright's routes cannot do that for an
 * upload: the page would not see that its file has left.
 */
export interface HeldUploads {
  /** Of the pages, with a slash at the end. */
  readonly url: string;
  /** Resolves when the server has answered the upload, and the page does not know yet. */
  arrived: Promise<void>;
  /** Lets the response go on, and all later ones. */
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
