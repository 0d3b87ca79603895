import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import Koa from "koa";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { compression } from "../../../server/middleware/compression";
import { logBrokenResponses } from "../../../server/middleware/handleErrors";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Line {
  level: number;
  url?: string;
  err: { code?: string };
}

/** Starts an application that responds with a stream. Returns its URL and the lines that it has logged. */
async function serve(body: () => Readable): Promise<{ url: string; lines: Line[] }> {
  const lines: Line[] = [];
  const app = new Koa();
  logBrokenResponses(app, pino({ level: "debug" }, { write: (line: string) => void lines.push(JSON.parse(line)) }));
  app.use(compression());
  app.use((ctx) => {
    ctx.type = "json";
    ctx.body = body();
  });
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`, lines };
}

/** A response over loopback is compressed only if it passed a proxy. */
const COMPRESSED = { "X-Forwarded-For": "192.0.2.1", "Accept-Encoding": "br" };

async function request(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [response] = await once(get(url, { headers }), "response");
  return response as IncomingMessage;
}

/** Fails like a query whose connection to the database is lost. */
async function* failing(): AsyncGenerator<string> {
  yield "x".repeat(300_000);
  throw Object.assign(new Error("the database is gone"), { code: "ECONNRESET" });
}

test.for([{}, COMPRESSED])("content that cannot be read ends the response, and is logged, with %o", async (headers) => {
  const { url, lines } = await serve(() => Readable.from(failing()));
  const read = async () => (await request(url, headers)).toArray();
  await expect(read()).rejects.toMatchObject({ code: "ECONNRESET" });
  await expect.poll(() => lines.length).toBe(1);
  expect(lines).toMatchObject([{ level: 40, url: "/list" }]);
});

test.for([{}, COMPRESSED])(
  "a client that disconnects causes no warning, and its content is read no further, with %o",
  async (headers) => {
    let left = () => {};
    const hasLeft = new Promise<void>((resolve) => {
      left = resolve;
    });
    async function* endless(): AsyncGenerator<string> {
      try {
        for (let i = 0; ; i++) yield `${i % 7}`.repeat(100_000);
      } finally {
        left();
      }
    }
    const { url, lines } = await serve(() => Readable.from(endless()));
    (await request(url, headers)).destroy();
    await hasLeft;
    await expect.poll(() => lines).toMatchObject([{ level: 20 }]);
  },
);

test("a client that disconnects in the middle of its body causes no warning", async () => {
  const { url, lines } = await serve(() => new Readable({ read: () => undefined }));
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  // The parser of HTTP reports an error for a chunk that is shorter than announced.
  socket.end("POST /list HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFF\r\nabc");
  await once(socket.resume(), "close");
  await expect.poll(() => lines.map(({ err }) => err.code)).toContain("HPE_INVALID_EOF_STATE");
  expect(lines.filter(({ level }) => level > 20)).toEqual([]);
});
