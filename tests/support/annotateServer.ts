import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Test program that annotates images, as named by a dataset's annotate URL. Each path has its own response. */
export interface AnnotateServer {
  /** Origin without a trailing slash. */
  origin: string;
  /** The last request received. */
  received: { headers: IncomingMessage["headers"]; body: Buffer } | null;
  close(): Promise<void>;
}

export type ResponseHandler = (response: ServerResponse) => void;

/**
 * `answers` maps paths such as "/good" to handlers. Every path allows calls from other sites, except those that begin
 * with "/closed".
 */
export async function startAnnotateServer(answers: Record<string, ResponseHandler>): Promise<AnnotateServer> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    if (!path.startsWith("/closed")) response.setHeader("Access-Control-Allow-Origin", "*");
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (request.method === "POST") self.received = { headers: request.headers, body: Buffer.concat(pieces) };
    const answer = answers[path];
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const self: AnnotateServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: null,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
  return self;
}
