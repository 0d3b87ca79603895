import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Handles a request in place of the server behind the proxy; returns false to pass it on. */
export type Fault = (req: IncomingMessage, res: ServerResponse) => boolean;

/** A proxy for S3 requests that fails as it is told. */
export interface FaultyProxy {
  url: string;
  /** Number of requests by method. */
  count(method: string): number;
  /** Sets the fault of the following requests. `afterBytes` cuts or stops their responses' bodies there. */
  fail(fault: Fault | { afterBytes: number; how: "cut" | "stop"; times: number } | undefined): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server at `target`. The signatures of requests stay valid. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const methods: string[] = [];
  let fault: Parameters<FaultyProxy["fail"]>[0];
  const server = createServer((req, res) => {
    methods.push(req.method ?? "");
    if (typeof fault === "function" && fault(req, res)) return;
    const cut = typeof fault === "object" && req.method === "GET" && fault.times-- > 0 ? fault : undefined;
    const onward = request({ hostname, port, method: req.method, path: req.url, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      if (!cut) return answer.pipe(res);
      let left = cut.afterBytes;
      answer.on("data", (chunk: Buffer) => {
        if (left <= 0) return;
        res.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0 && cut.how === "cut") setTimeout(() => res.destroy(), 20);
      });
    });
    onward.on("error", () => res.destroy());
    req.on("error", () => onward.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (method) => methods.filter((one) => one === method).length,
    fail(next) {
      fault = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
