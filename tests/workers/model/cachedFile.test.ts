import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CACHE, type CachedFile, loadCachedFile, Unreachable } from "../../../workers/model/cachedFile";
import { eventually } from "../../support/eventually";

const CONTENT = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 251);
const BROKEN = CONTENT.map((byte, i) => (i === 1000 ? byte ^ 1 : byte));

/** `toEqual` takes seconds for so many numbers. */
const isContent = (found?: Uint8Array): boolean => found !== undefined && Buffer.compare(found, CONTENT) === 0;

/** The used part of the browser's cache. */
class MemoryCache {
  readonly entries = new Map<string, Uint8Array<ArrayBuffer>>();

  async match(address: string) {
    const content = this.entries.get(address);
    return content && new Response(content);
  }

  async put(address: string, response: Response) {
    this.entries.set(address, new Uint8Array(await response.arrayBuffer()));
  }

  async keys() {
    return [...this.entries.keys()].map((url) => ({ url }));
  }

  async delete(address: string) {
    return this.entries.delete(address);
  }
}

const servers: Server[] = [];
afterEach(() => {
  vi.unstubAllGlobals();
  for (const server of servers.splice(0)) server.close();
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/assets/`;
}

/** Starts a server that returns these bodies one after another, and repeats the last one. */
async function serving(...bodies: Uint8Array[]) {
  let requests = 0;
  const base = await serve((_, answer) => answer.end(bodies[Math.min(requests++, bodies.length - 1)]));
  return { file: fileAt(`${base}dextr-AbC_-123.onnx`), base, count: () => requests };
}

function fileAt(address: string): CachedFile {
  return { address, bytes: CONTENT.length, sha256: createHash("sha256").update(CONTENT).digest("hex") };
}

function withCache(): MemoryCache {
  const cache = new MemoryCache();
  vi.stubGlobal("caches", { open: async (name: string) => (name === CACHE ? cache : new MemoryCache()) });
  return cache;
}

describe("loadCachedFile", () => {
  it("returns the content, reports progress, and requests it only once", async () => {
    const cache = withCache();
    const { file, count } = await serving(CONTENT);
    const received: number[] = [];
    expect(isContent(await loadCachedFile(file, (bytes) => received.push(bytes)))).toBe(true);
    expect(received.at(-1)).toBe(file.bytes);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
    await eventually(() => expect(cache.entries.size).toBe(1));
    expect(isContent(await loadCachedFile(file))).toBe(true);
    expect(count()).toBe(1);
  });

  it("counts the bytes of the content even if the response is compressed", async () => {
    const body = brotliCompressSync(CONTENT);
    const base = await serve((_, answer) =>
      answer.writeHead(200, { "Content-Encoding": "br", "Content-Length": body.length }).end(body),
    );
    const received: number[] = [];
    expect(isContent(await loadCachedFile(fileAt(`${base}a.onnx`), (bytes) => received.push(bytes)))).toBe(true);
    expect(received.at(-1)).toBe(CONTENT.length);
  });

  it.each([
    ["cut short", CONTENT.slice(0, 1000)],
    ["of the right length with another content", BROKEN],
    ["too long", new Uint8Array(CONTENT.length + 1)],
  ])("fetches a file again that is cached %s, and keeps the correct one", async (_, kept) => {
    const cache = withCache();
    const { file, count } = await serving(CONTENT);
    cache.entries.set(file.address, new Uint8Array(kept));
    expect(isContent(await loadCachedFile(file))).toBe(true);
    expect(count()).toBe(1);
    await eventually(() => expect(isContent(cache.entries.get(file.address))).toBe(true));
  });

  it.each([
    ["short", CONTENT.slice(0, 1000)],
    ["broken", BROKEN],
    ["long", new Uint8Array(CONTENT.length + 5)],
  ])("requests again, past the browser's cache, when a %s copy was received", async (_, body) => {
    const seen: (string | undefined)[] = [];
    const base = await serve(({ headers }, answer) => {
      seen.push(headers["cache-control"]);
      answer.end(seen.length === 1 ? body : CONTENT);
    });
    expect(isContent(await loadCachedFile(fileAt(`${base}a.onnx`)))).toBe(true);
    expect(seen).toEqual([undefined, "no-cache"]);
  });

  it("reports a damaged file on the server, and caches nothing", async () => {
    const cache = withCache();
    const { file, count } = await serving(BROKEN);
    await expect(loadCachedFile(file)).rejects.toThrow("A DEXTR file on the server is damaged.");
    expect(count()).toBe(2);
    expect(cache.entries.size).toBe(0);
  });

  it("removes older versions of the same file and nothing else", async () => {
    const cache = withCache();
    const { file, base } = await serving(CONTENT);
    const others = [
      `${base}other-AbC_-123.onnx`,
      `${base}dextr-AbC_-123.wasm`,
      `http://elsewhere/assets/dextr-00000000.onnx`,
    ];
    for (const address of [`${base}dextr-00000000.onnx`, ...others]) cache.entries.set(address, CONTENT);
    await loadCachedFile(file);
    await eventually(() => expect([...cache.entries.keys()].sort()).toEqual([...others, file.address].sort()));
  });

  it("removes older networks of the server, whose names are hashes", async () => {
    const cache = withCache();
    const { base } = await serving(CONTENT);
    cache.entries.set(`${base}${"a".repeat(64)}.onnx`, CONTENT);
    const file = fileAt(`${base}${"b".repeat(64)}.onnx`);
    await loadCachedFile(file);
    await eventually(() => expect([...cache.entries.keys()]).toEqual([file.address]));
  });

  it("works without a cache", async () => {
    vi.stubGlobal("caches", { open: () => Promise.reject(new DOMException("forbidden", "SecurityError")) });
    const { file } = await serving(CONTENT);
    expect(isContent(await loadCachedFile(file))).toBe(true);

    const full = withCache();
    full.put = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
    expect(isContent(await loadCachedFile(file))).toBe(true);
  });

  it("checks the size if the browser cannot hash", async () => {
    vi.stubGlobal("crypto", {});
    const { file } = await serving(CONTENT.slice(0, 5), CONTENT);
    expect(isContent(await loadCachedFile(file))).toBe(true);
  });

  it("reports that a retry may help if the server is unreachable or refuses", async () => {
    const { file } = await serving(CONTENT);
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
    await expect(loadCachedFile(file)).rejects.toThrow(Unreachable);

    const base = await serve((_, answer) => answer.writeHead(503).end());
    await expect(loadCachedFile(fileAt(`${base}a.onnx`))).rejects.toThrow(/status 503/);
  });

  it("reports a connection that breaks during the download", async () => {
    const base = await serve((_, answer) => {
      answer.writeHead(200, { "Content-Length": CONTENT.length });
      answer.write(CONTENT.slice(0, 1000), () => answer.destroy());
    });
    await expect(loadCachedFile(fileAt(`${base}a.onnx`))).rejects.toThrow(Unreachable);
  });
});
