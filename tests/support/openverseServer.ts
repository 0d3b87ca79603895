import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A local server that imitates Openverse's image search, and serves images. */
export interface OpenverseServer {
  /** Value for GENERATE_PROVIDER_URL. */
  url: string;
  origin: string;
  /** Paths of all requests, including their queries. */
  asked: string[];
  /** Handles searches in place of the default, which lists the found images, 20 a page. */
  onSearch: ((request: IncomingMessage, response: ServerResponse, times: number) => void) | undefined;
  /** Results of every search, whatever the keyword. */
  found: Record<string, unknown>[];
  /** Responses by path, apart from the search. */
  files: Record<string, Buffer | ((response: ServerResponse) => void)>;
  close(): Promise<void>;
}

export async function startOpenverseServer(): Promise<OpenverseServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", self.origin);
    self.asked.push(request.url ?? "");
    if (pathname !== "/v1/images/") return answerFile(self.files[pathname], response);
    const times = self.asked.filter((path) => path.startsWith("/v1/images/")).length;
    if (self.onSearch) return self.onSearch(request, response, times);
    answerSearch(self.found, searchParams, response);
  });
  const origin = await listen(server);
  const self: OpenverseServer = {
    url: `${origin}/v1/images/`,
    origin,
    asked: [],
    onSearch: undefined,
    found: [],
    files: {},
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
  return self;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answerFile(file: Buffer | ((response: ServerResponse) => void) | undefined, response: ServerResponse): void {
  if (typeof file === "function") file(response);
  else if (file) response.writeHead(200, { "Content-Type": "image/png" }).end(file);
  else response.writeHead(404).end("gone");
}

function answerSearch(found: readonly unknown[], query: URLSearchParams, response: ServerResponse): void {
  const size = Number(query.get("page_size") ?? 20);
  const page = Number(query.get("page") ?? 1);
  // Larger pages require an API key.
  if (size > 20) return void response.writeHead(401).end(JSON.stringify({ detail: "page_size" }));
  const results = found.slice((page - 1) * size, page * size);
  const page_count = Math.ceil(found.length / size);
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ result_count: found.length, page_count, page_size: size, page, results }));
}
