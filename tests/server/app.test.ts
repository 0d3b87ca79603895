import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import Koa from "koa";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handleErrors } from "../../server/middleware/handleErrors";
import { respondNotFound, staticFiles } from "../../server/middleware/staticFiles";
import { routes } from "../../server/routes";
import { calls } from "../../shared/api";
import type { Call } from "../../shared/api/protocol/call";
import { openEither, openEmbedded, type TestDatabase } from "../support/databases";
import { temporaryFolder } from "../support/folders";
import { startServer, type TestServer, type TestUser } from "../support/server";
import { TestClient } from "../support/testClient";

let database: TestDatabase;
let server: TestServer;
let ann: TestUser;
beforeAll(async () => {
  database = await openEither();
  server = await startServer(database, { env: { ANNOTATE_ORIGINS: "https://models.example" } });
  ann = await server.user("ann", { admin: true });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

describe("the list of routes", () => {
  test("has exactly one route for every declared call", () => {
    const names = (list: Call[]) => list.map(({ method, path }) => `${method} ${path}`).sort();
    expect(names(routes.map(({ call }) => call))).toEqual(names(calls));
    expect(new Set(names(calls)).size).toBe(calls.length);
  });
});

describe("paths", () => {
  test("paths match with and without a trailing slash", async () => {
    for (const path of ["info", "info/", "category", "category/", "category/data", "category/data/"])
      expect((await ann.get(path)).status, path).toBe(200);
  });

  test("undeclared paths return 404 in JSON, and other methods 405 with the allowed ones", async () => {
    for (const path of [
      "nothing",
      "category/1/nothing",
      "INFO",
      "category//",
      "category/data/x",
      "%",
      "category/%E0%A4%A",
    ]) {
      const answer = await ann.get(path);
      expect(answer, path).toMatchObject({ status: 404, body: { message: expect.any(String) } });
    }
    const answer = await ann.request("PATCH", "category/1");
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")?.split(", ").sort()).toEqual(["DELETE", "GET", "HEAD", "PUT"]);
    expect((await ann.request("DELETE", "info")).status).toBe(405);
    expect((await ann.request("OPTIONS", "info")).status).toBe(405);
  });

  test("a path with an impossible id returns 404", async () => {
    for (const id of ["0", "999999999", "99999999999999999999", "-1", "1.5", "x", "1e3", "%00", "1%20"])
      expect((await ann.get(`category/${id}`)).status, id).toBe(404);
  });

  test("paths respond to HEAD as to GET, except those that write", async () => {
    const head = await ann.fetch("HEAD", "info/");
    expect(head.status).toBe(200);
    expect((await ann.fetch("HEAD", "user/logout")).status).toBe(405);
    expect((await ann.get("user/")).status).toBe(200);
  });
});

describe("bodies", () => {
  const post = (body: string, type = "application/json") =>
    ann.request("POST", "category/", { body, headers: { "Content-Type": type } });

  test("bodies are JSON in UTF-8", async () => {
    for (const body of ["{", "{]", "nul", '{"name":"a"', '"a', "{'name':'a'}"])
      expect(await post(body), body).toMatchObject({ status: 400, body: { message: "The body is not valid JSON." } });
    const latin1 = new Uint8Array([...Buffer.from('{"name":"'), 0xe9, ...Buffer.from('"}')]);
    const answer = await ann.request("POST", "category/", {
      body: latin1,
      headers: { "Content-Type": "application/json" },
    });
    expect(answer.status).toBe(400);
  });

  test("a body of another content type returns 415, because any site can send such a body", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"])
      expect((await post('{"name":"typed"}', type)).status, type).toBe(415);
    expect((await post('{"name":"with charset"}', "application/json; charset=utf-8")).status).toBe(200);
  });

  test("a body that is not an object returns 400 with the reason", async () => {
    for (const body of ["null", "[]", "1", '"x"', "true"])
      expect(await post(body), body).toMatchObject({
        status: 400,
        body: { message: "Input payload validation failed", errors: expect.anything() },
      });
  });

  test("an invalid body returns a readable sentence that names the field", async () => {
    const { body } = await ann.post("category/", { name: " ", color: "red" });
    expect(body).toEqual({
      message: "Category name is required",
      errors: { name: "Category name is required", color: "Invalid HEX color." },
    });
  });

  test("a body nested too deep is refused without a stack overflow", async () => {
    const nested = (depth: number) =>
      `{"name":"deep${depth}","metadata":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
    expect((await post(nested(30))).status).toBe(200);
    expect((await post(nested(31))).status).toBe(400);
    expect((await post(nested(300_000))).status).toBe(400);
    expect((await post(`{"name":"${"[".repeat(50)}"}`)).status).toBe(200);
    expect((await post(`{"name":"\\\\\\"${"{".repeat(50)}"}`)).status).toBe(200);
  });

  test("a body beyond the limit returns 413, whether declared or streamed", async () => {
    expect((await post(`{"name":"x","y":"${"x".repeat(1_000_000)}"}`)).status).toBe(413);
    const chunked = await fetch(`${server.url}api/user/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(100_000).fill(32));
        },
      }),
      duplex: "half",
    } as RequestInit).catch(() => undefined);
    expect(chunked?.status ?? 413).toBe(413);
  });

  test("a body with unknown keys is accepted without them", async () => {
    const sent =
      '{"name":"extra","id":77,"creator_id":1,"revision":99,"__proto__":{"color":"#000000"},"constructor":1}';
    const { body } = await post(sent);
    expect(body).toMatchObject({ name: "extra", revision: 1 });
    expect(body.id).not.toBe(77);
    expect(body.color).not.toBe("#000000");
  });

  test("a compressed body is refused, which prevents decompression bombs", async () => {
    const answer = await ann.request("POST", "category/", {
      body: new Uint8Array(brotliCompressSync(Buffer.from('{"name":"small"}'))),
      headers: { "Content-Type": "application/json", "Content-Encoding": "br" },
    });
    expect(answer.status).toBe(415);
  });
});

describe("queries", () => {
  test("a query with a wrong type returns 400, and unknown keys are ignored", async () => {
    for (const query of [
      "page=0",
      "page=-1",
      "page=x",
      "page=1e3",
      "page=1.5",
      "limit=0",
      "limit=1001",
      "page=1&page=2",
    ])
      expect((await ann.get(`category/data?${query}`)).status, query).toBe(400);
    expect((await ann.get("category/data?page=1&name__contains=x&__proto__=1&page[$gt]=0")).status).toBe(200);
    expect((await ann.get("category/data?page=999999999")).body.pagination.page).toBe(1);
  });
});

describe("responses", () => {
  test("responses of the API are not cached, and have the headers that exclude other sites", async () => {
    for (const path of ["info/", "user/", "nothing", "/", "/datasets"]) {
      const { headers } = await server.visitor().get(path);
      expect(headers.get("cross-origin-opener-policy"), path).toBe("same-origin");
      expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("strict-transport-security")).toBeNull();
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain(`connect-src 'self' blob: ws://${new URL(server.url).host}`);
      expect(policy).toContain("https://models.example");
      expect(policy).not.toContain("upgrade-insecure-requests");
    }
    expect((await ann.get("info/")).headers.get("cache-control")).toBe("no-store");
    expect((await ann.get("nothing")).headers.get("cache-control")).toBe("no-store");
  });

  test("responses never include a caller's host name in the policy", async () => {
    const raw = await rawRequest(`GET /api/info HTTP/1.1\r\nHost: x; script-src *\r\nConnection: close\r\n\r\n`);
    expect(raw).not.toContain("script-src *");
  });

  test("large JSON responses are compressed, except for clients on the same machine", async () => {
    for (let i = 0; i < 30; i++) await ann.post("category/", { name: `for compression ${i}` });
    const near = await ann.fetch("GET", "category/", { headers: { "Accept-Encoding": "br" } });
    expect(near.headers.get("content-encoding")).toBeNull();
    const far = { "Accept-Encoding": "br", "X-Forwarded-For": "192.0.2.7" };
    const response = await ann.fetch("GET", "category/", { headers: far });
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(((await response.json()) as unknown[]).length).toBeGreaterThan(30);
  });

  test("responses after an internal error contain only its number", async () => {
    const lines: string[] = [];
    const app = new Koa();
    app.use(handleErrors(pino({}, { write: (line: string) => void lines.push(line) })));
    app.use(() => {
      throw new Error("secret: select * from users at /home/x");
    });
    const { url, close } = await serveKoa(app);
    const { status, body } = await new TestClient(url).get("/");
    await close();
    expect(status).toBe(500);
    expect(Object.keys(body)).toEqual(["message"]);
    expect(body.message).not.toMatch(/secret|select|home/);
    const [, id] = /number (\w+)/.exec(body.message) ?? [];
    expect(lines.join()).toContain(id);
  });
});

describe("health", () => {
  test("returns 200 while the database responds, and 503 after that", async () => {
    const gone = await openEmbedded();
    const other = await startServer(gone);
    expect((await other.visitor().get("health")).body).toEqual({ ready: true });
    await gone.close();
    const answer = await other.visitor().get("health");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).not.toBeNull();
    await other.close();
  });
});

describe("the files of the web app", () => {
  let client: TestClient;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "assets"));
    writeFileSync(
      join(folder, "index.html"),
      '<!doctype html><html><head lang="en"><script src="./assets/a.js"></script>',
    );
    writeFileSync(join(folder, "assets", "a-1234.js"), "plain");
    writeFileSync(join(folder, "assets", "a-1234.js.br"), brotliCompressSync(Buffer.from("packed")));
    writeFileSync(join(folder, "sw.js"), "worker");
    writeFileSync(join(folder, ".env"), "SECRET=1");
    const app = new Koa();
    app.use(handleErrors(pino({ level: "silent" })));
    app.use(staticFiles({ BASE_PATH: "/limn/" }, folder));
    app.use(respondNotFound);
    const served = await serveKoa(app);
    client = new TestClient(served.url);
    close = served.close;
  });
  afterAll(() => close());

  test("returns index.html with the base path for every page address, uncached", async () => {
    for (const path of ["/limn/", "/limn/datasets", "/limn/annotate/5?x=1", "/limn/index.html"]) {
      const { status, text, headers } = await client.get(path, { headers: { Accept: "text/html" } });
      expect(status, path).toBe(200);
      expect(text).toContain('<head lang="en"><base href="/limn/"><script');
      expect(headers.get("cache-control")).toBe("no-cache");
    }
  });

  test("caches hashed files forever, but not the service worker", async () => {
    const asset = await client.get("/limn/assets/a-1234.js", { headers: { "Accept-Encoding": "identity" } });
    expect(asset).toMatchObject({ status: 200, text: "plain" });
    expect(asset.headers.get("cache-control")).toContain("immutable");
    expect((await client.get("/limn/sw.js")).headers.get("cache-control")).toBe("no-cache");
  });

  test("sends a compressed file to clients that accept it", async () => {
    const { text, headers } = await client.get("/limn/assets/a-1234.js", { headers: { "Accept-Encoding": "br" } });
    expect(text).toBe("packed");
    expect(headers.get("content-type")).toContain("javascript");
    expect(headers.get("vary")).toContain("Accept-Encoding");
  });

  test("shows the application's page with status 404 to a browser that opens a missing path", async () => {
    const headers = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    for (const path of ["/limn/foo.bar", "/limn/dataset/1.5", "/limn/assets/old-1.js", "/limn/.env", "/limn/%00.js"]) {
      const page = await client.get(path, { headers });
      expect(page.status, path).toBe(404);
      expect(page.headers.get("content-type"), path).toContain("text/html");
      expect(page.headers.get("cache-control")).toBe("no-cache");
      expect(page.text).toContain('<base href="/limn/">');
    }
    for (const Accept of ["*/*", "image/avif,image/*,*/*;q=0.8", "application/json"]) {
      const { status, body } = await client.get("/limn/foo.bar", { headers: { Accept } });
      expect([status, body], Accept).toEqual([404, { message: "Not found." }]);
    }
  });

  test("returns 404 for missing files, and nothing outside the folder", async () => {
    for (const path of [
      "/limn/assets/missing.js",
      "/limn/assets/",
      "/limn/.env",
      "/limn/..%2f..%2fetc%2fpasswd",
      "/limn/%2e%2e/package.json",
      "/limn/assets/..%5c..%5cindex.html",
      "/limn/%00.js",
      "/limn/%E0%A4%A.js",
      "/other",
    ])
      expect((await client.get(path, { headers: { Accept: "text/html" } })).status, path).toBe(404);
    expect((await client.request("POST", "/limn/")).status).toBe(405);
  });
});

async function serveKoa(app: Koa): Promise<{ url: string; close: () => Promise<void> }> {
  const http: Server = createServer(app.callback());
  await new Promise<void>((ready) => http.listen(0, "127.0.0.1", ready));
  const close = () =>
    new Promise<void>((done) => {
      http.closeAllConnections();
      http.close(() => done());
    });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, close };
}

function rawRequest(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}
