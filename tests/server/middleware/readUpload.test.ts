import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Koa from "koa";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEnv } from "../../../server/base/env";
import { handleErrors } from "../../../server/middleware/handleErrors";
import { readUpload, requireStored } from "../../../server/middleware/readUpload";
import { temporaryFolder } from "../../support/folders";
import { TestClient } from "../../support/testClient";

describe("an upload", () => {
  const env = readEnv({ DATA_DIR: temporaryFolder(), MAX_UPLOAD_MB: "1" });
  const tmp = join(env.DATA_DIR, "tmp");
  let client: TestClient;
  let port: number;
  let close: () => void;
  /** Numbers of started uploads, and of those in flight. */
  let started = 0;
  let open = 0;
  beforeAll(async () => {
    const app = new Koa();
    app.silent = true;
    app.use(handleErrors(pino({ level: "silent" })));
    app.use(async (ctx) => {
      started++;
      open++;
      const reading = readUpload(ctx, { field: "files", many: ctx.path === "/many" }, env);
      const { fields, files, remove } = await reading.finally(() => open--);
      ctx.body = { fields, files: files.map(({ path, name, bytes }) => [name, bytes, readFileSync(path).length]) };
      await remove();
    });
    const server = createServer(app.callback());
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    port = (server.address() as AddressInfo).port;
    client = new TestClient(`http://127.0.0.1:${port}/`);
    close = () => void server.close();
  });
  afterAll(() => close());

  const form = (parts: [string, string | Blob, string?][]) => {
    const body = new FormData();
    for (const [field, value, name] of parts)
      if (typeof value === "string") body.append(field, value);
      else body.append(field, value, name);
    return { body };
  };
  const leftOver = () => (existsSync(tmp) ? readdirSync(tmp) : []);

  test("a file name longer than any path is refused, and nothing stays", async () => {
    const response = await client.request("POST", "/many", form([["files", new Blob(["x"]), "x".repeat(20_000)]]));
    expect([response.status, response.body]).toMatchObject([
      400,
      { message: "The name of a file or field is too long." },
    ]);
    expect(leftOver()).toEqual([]);
  });

  test("an upload that the disk did not store completely is refused, whatever was counted", async () => {
    const path = join(temporaryFolder(), "cut");
    writeFileSync(path, "abc");
    await expect(requireStored([{ path, bytes: 5 }])).rejects.toMatchObject({ status: 503 });
    await expect(requireStored([{ path, bytes: 3 }])).resolves.toBeUndefined();
  });

  test("arrives complete, with its name unchanged, and leaves nothing behind", async () => {
    const one = await client.request(
      "POST",
      "/one",
      form([
        ["note", "x"],
        ["files", new Blob(["abc"]), "../ä b/c.png"],
      ]),
    );
    expect(one.body).toEqual({ fields: { note: "x" }, files: [["../ä b/c.png", 3, 3]] });
    const sizes = Array.from({ length: 40 }, (_, i) => ((i * 7919) % 40) * 500);
    const many = await client.request(
      "POST",
      "/many",
      form(sizes.map((n, i) => ["files", new Blob(["x".repeat(n)]), `${i}`])),
    );
    expect(many.body.files).toEqual(sizes.map((n, i) => [`${i}`, n, n]));
    const empty = await client.request("POST", "/one", form([["files", new Blob([]), "empty"]]));
    expect(empty.body.files).toEqual([["empty", 0, 0]]);
    expect(leftOver()).toEqual([]);
  });

  test("an upload without the file, with more files than requested, or too large is refused", async () => {
    const status = async (path: string, parts: [string, string | Blob, string?][]) =>
      (await client.request("POST", path, form(parts))).status;
    expect(await status("/one", [["note", "x"]])).toBe(400);
    expect(await status("/one", [["files", "text, no file"]])).toBe(400);
    expect(await status("/one", [["other", new Blob(["x"]), "x"]])).toBe(400);
    const two: [string, Blob, string][] = [
      ["files", new Blob(["x"]), "1"],
      ["files", new Blob(["x"]), "2"],
    ];
    expect(await status("/one", two)).toBe(400);
    expect(await status("/one", [["files", new Blob(["x".repeat(1_100_000)]), "large"]])).toBe(413);
    expect(
      await status(
        "/many",
        [1, 2, 3].map((n) => ["files", new Blob(["x".repeat(500_000)]), `${n}`]),
      ),
    ).toBe(413);
    expect(
      await status("/one", [
        ["note", "x".repeat(9_000_000)],
        ["files", new Blob(["x"]), "1"],
      ]),
    ).toBe(413);
    await expect.poll(leftOver).toEqual([]);
  });

  test("an upload with fields named like object properties does no harm", async () => {
    const { status, body } = await client.request(
      "POST",
      "/one",
      form([
        ["__proto__", "x"],
        ["constructor", "y"],
        ["__proto__[admin]", "1"],
        ["files", new Blob(["x"]), "1"],
      ]),
    );
    expect(status).toBe(200);
    expect(body.files).toHaveLength(1);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  /** Sends a request byte by byte as a client writes it, in two chunks with a pause between them. */
  async function sendRaw(disposition: string, cutInName = 0) {
    const head = `--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nbär\r\n--b\r\nContent-Disposition: form-data; name="files"; `;
    const body = Buffer.from(`${head}${disposition}\r\nContent-Type: image/png\r\n\r\nabc\r\n--b--\r\n`);
    const at = Buffer.byteLength(head) + cutInName;
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    socket.write(
      `POST /one HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const received = started;
    socket.write(body.subarray(0, at));
    await expect.poll(() => started).toBe(received + 1);
    await wait(20);
    socket.write(body.subarray(at));
    const answer = (await socket.setEncoding("utf8").toArray()).join("");
    return JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
  }

  test("keeps its name as clients write it, even if a character is split between chunks", async () => {
    const names: [string, string][] = [
      ['filename="ä.png"', "ä.png"],
      ["filename*=utf-8''%C3%A4%20b.png", "ä b.png"],
      ["filename*=UTF-8'de'%C3%A4.png", "ä.png"],
      ["filename*=iso-8859-1''%E4.png", "ä.png"],
      ["filename=\"a.png\"; filename*=utf-8''%C3%A4.png", "ä.png"],
      ["filename=\"a.png\"; filename*=utf-8''%zz", "a.png"],
      ['filename="say %22a%22.png"', 'say "a".png'],
      ['filename="say \\"a\\".png"', 'say "a".png'],
      ['filename="C:\\images\\a.png"', "a.png"],
      ["filename=a.png", "a.png"],
      ['filename=""', ""],
    ];
    for (const [disposition, name] of names)
      expect(await sendRaw(disposition), disposition).toEqual({ fields: { note: "bär" }, files: [[name, 3, 3]] });
    const cut = 'filename="'.length + 1;
    expect((await sendRaw('filename="ä.png"', cut)).files).toEqual([["ä.png", 3, 3]]);
    expect(leftOver()).toEqual([]);
  });

  test("an upload that breaks off leaves nothing", async () => {
    for (let i = 0; i < 5; i++) {
      const socket = connect(port, "127.0.0.1");
      socket.write(
        `POST /one HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="files"; filename="x"\r\nContent-Type: image/png\r\n\r\n${"x".repeat(5000)}`,
      );
      await expect.poll(() => leftOver().length).toBeGreaterThan(0);
      socket.destroy();
      await expect.poll(leftOver).toEqual([]);
    }
  });

  test("an upload that breaks off before it is read ends and leaves nothing", async () => {
    const before = started;
    for (let i = 0; i < 30; i++) {
      const socket = connect(port, "127.0.0.1");
      socket.write(
        "POST /one HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\n",
        () => socket.destroy(),
      );
    }
    await expect.poll(() => started - before).toBe(30);
    await expect.poll(() => open).toBe(0);
    await expect.poll(leftOver).toEqual([]);
  });
});
