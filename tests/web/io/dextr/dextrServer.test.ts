// @vitest-environment jsdom
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DextrServer } from "../../../../web/io/dextr/dextrServer";
import { eventually } from "../../../support/eventually";

const IMAGE = { id: 7, address: "" };
const SQUARE = [[[0, 0, 9, 0, 9, 9, 0, 9]]];

/** Calls that have arrived and wait for their response. */
let arrived: { threshold: number; answer: () => void }[];
let server: Server;

beforeEach(async () => {
  arrived = [];
  server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      // A health check comes from a module that this worker shares with earlier files.
      if (incoming.method === "OPTIONS" || incoming.url === "/api/health") end(outgoing, 204);
      else {
        const { threshold } = JSON.parse(Buffer.concat(chunks).toString()) as { threshold: number };
        arrived.push({ threshold, answer: () => end(outgoing, 200) });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  document.head.innerHTML = `<base href="http://127.0.0.1:${(server.address() as AddressInfo).port}/">`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function end(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { "Access-Control-Allow-Origin": "http://localhost:3000", ...CORS });
  outgoing.end(JSON.stringify({ segmentation: [], segmentaiton: [], rings: SQUARE }));
}

const CORS = {
  "Access-Control-Allow-Headers": "*, X-Requested-With, Content-Type",
  "Access-Control-Allow-Credentials": "true",
};

function ask(runtime: DextrServer, threshold: number, signal = new AbortController().signal) {
  const points = [
    [0, 0],
    [9, 0],
    [9, 9],
    [0, 9],
  ] as const;
  return runtime.predict(IMAGE, { points: points.map(([x, y]) => [x, y]), more: [], padding: 50, threshold }, signal);
}

const thresholds = () => arrived.map(({ threshold }) => threshold);

it("sends one request at a time, so that none replaces another one waiting on the server", async () => {
  const runtime = new DextrServer();
  const [first, second] = [ask(runtime, 1), ask(runtime, 2)];
  await eventually(() => expect(thresholds()).toEqual([1]));
  arrived[0]!.answer();
  expect((await first).rings).toEqual(SQUARE);
  await eventually(() => expect(thresholds()).toEqual([1, 2]));
  arrived[1]!.answer();
  expect((await second).rings).toEqual(SQUARE);
});

it("does not send a request that was aborted before its turn", async () => {
  const runtime = new DextrServer();
  const first = ask(runtime, 1);
  const given = new AbortController();
  const second = ask(runtime, 2, given.signal);
  const third = ask(runtime, 3);
  await eventually(() => expect(thresholds()).toEqual([1]));
  given.abort();
  await expect(second).rejects.toThrow("abort");
  arrived[0]!.answer();
  await first;
  await eventually(() => expect(thresholds()).toEqual([1, 3]));
  arrived[1]!.answer();
  await third;
});

it("gives up a server that never responds after two minutes, and sends the next request", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const runtime = new DextrServer();
  const late = expect(ask(runtime, 1)).rejects.toThrow("did not respond in time");
  await vi.advanceTimersByTimeAsync(120_000);
  await late;
  vi.useRealTimers();
  const next = ask(runtime, 2);
  await eventually(() => expect(thresholds()).toContain(2));
  arrived.at(-1)!.answer();
  await next;
});
