import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { downloadFile, type FilePart, PART_BYTES } from "../../../workers/functions/downloadFile";

const CONTENT = Buffer.from("0123456789");
const digestOf = (content: Buffer) => `sha-256=:${createHash("sha256").update(content).digest("base64")}:`;

let server: Server | undefined;
afterEach(() => void server?.closeAllConnections());

/** Serves one address. Returns it with the ranges that were requested. */
async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const ranges: (string | undefined)[] = [];
  server = createServer((request, response) => {
    ranges.push(request.headers.range);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, ranges };
}

/** Responds as a server that knows ranges (RFC 9110, 14). */
function respondWith(content: Buffer, tag: string) {
  return ({ headers }: IncomingMessage, response: ServerResponse) => {
    response.setHeader("ETag", tag).setHeader("Repr-Digest", digestOf(content));
    const start = headers["if-range"] === tag ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0) : 0;
    if (start === 0) return void response.end(content);
    if (start >= content.length) return void response.writeHead(416).end();
    const range = `bytes ${start}-${content.length - 1}/${content.length}`;
    response.writeHead(206, { "Content-Range": range }).end(content.subarray(start));
  };
}

const part = (text: string, tag = '"a"'): FilePart => ({ blob: new Blob([text]), tag });
const get = (address: string, from: FilePart | null = null, signal = new AbortController().signal) =>
  downloadFile({ address, headers: {}, cache: "no-store", part: from }, null, signal);
const textOf = async (result: Awaited<ReturnType<typeof get>>) =>
  result.kind === "file" ? result.blob.text() : result.kind;

it("downloads a file whose size and hash are as stated", async () => {
  const { address } = await serve(respondWith(CONTENT, '"a"'));
  expect(await textOf(await get(address))).toBe("0123456789");
});

it("requests only the rest of a file if a part is stored here", async () => {
  const { address, ranges } = await serve(respondWith(CONTENT, '"a"'));
  expect(await textOf(await get(address, part("0123")))).toBe("0123456789");
  expect(ranges).toEqual(["bytes=4-"]);
});

it("downloads the whole file if it has changed since the part arrived", async () => {
  const { address } = await serve(respondWith(Buffer.from("abcdefghij"), '"b"'));
  expect(await textOf(await get(address, part("0123")))).toBe("abcdefghij");
});

it("starts again if the part is as long as the file", async () => {
  const { address, ranges } = await serve(respondWith(CONTENT, '"a"'));
  expect(await textOf(await get(address, part("0123456789")))).toBe("0123456789");
  expect(ranges).toEqual(["bytes=10-", undefined]);
});

it("rejects a file with another hash, also if only its part is wrong", async () => {
  const { address } = await serve(respondWith(CONTENT, '"a"'));
  expect(await textOf(await get(address, part("xxxx")))).toBe("damaged");
});

it("returns the part that has arrived when the connection breaks", async () => {
  const { address } = await serve((_, response) => {
    response.writeHead(200, { ETag: '"a"', "Content-Length": "10" }).write("0123");
    setTimeout(() => response.destroy(), 50);
  });
  const result = await get(address);
  expect(result).toMatchObject({ kind: "failed", status: 0, part: { tag: '"a"' } });
  expect(result.kind === "failed" && (await result.part?.blob.text())).toBe("0123");
});

it("returns the part that has arrived when it is stopped", async () => {
  const abort = new AbortController();
  const { address } = await serve((_, response) => {
    response.writeHead(200, { ETag: '"a"', "Content-Length": "10" }).write("0123");
    setTimeout(() => abort.abort(), 50);
  });
  const result = await get(address, null, abort.signal);
  expect(result.kind === "failed" && (await result.part?.blob.text())).toBe("0123");
});

it("does not offer a part for resuming if the server states no strong tag", async () => {
  const { address } = await serve((_, response) => {
    response.writeHead(200, { ETag: 'W/"a"', "Content-Length": "10" }).write("0123");
    setTimeout(() => response.destroy(), 50);
  });
  expect(await get(address)).toEqual({ kind: "failed", status: 0, part: null });
});

it("returns the status of a refusal and keeps the part", async () => {
  const { address } = await serve((_, response) => void response.writeHead(503).end());
  expect(await get(address, part("0123"))).toMatchObject({ kind: "failed", status: 503, part: { tag: '"a"' } });
});

it("passes on parts of a long file while it arrives", async () => {
  const content = Buffer.alloc(2.5 * PART_BYTES, 7);
  const { address } = await serve(respondWith(content, '"a"'));
  const sizes: number[] = [];
  const result = await downloadFile(
    { address, headers: {}, cache: "no-store", part: null },
    ({ blob }) => void sizes.push(blob.size),
    new AbortController().signal,
  );
  expect(result.kind === "file" && result.blob.size).toBe(content.length);
  expect(sizes).toHaveLength(2);
  expect(sizes[0]).toBeGreaterThanOrEqual(PART_BYTES);
});
