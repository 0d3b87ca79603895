import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../../shared/api";
import type { Call } from "../../../shared/api/protocol/call";
import { describeOnDatabases } from "../../support/databases";
import { upright } from "../../support/images";
import { startServer, type TestServer } from "../../support/server";
import type { TestClient, TestResponse } from "../../support/testClient";
import { zipOf } from "../../support/zips";
import { type Fixture, makeFixture, makeTestUsers, type TestUsers } from "../rights/fixture";
import { pathOf, validRequest } from "../rights/requests";
import { invalidCallers, setPasswords, validCallers } from "./callers";

const uploads = calls.filter((call) => call.upload);

/** Ways for a part to name its file: as browsers do, as in RFC 8187, and malformed ones. */
const DISPOSITIONS = [
  'filename="../../outside.png"',
  'filename="..%2f..%2foutside.png"',
  'filename="/etc/passwd"',
  'filename="C:\\\\windows\\\\x.png"',
  "filename*=utf-8''a%0D%0Ab.png",
  "filename*=utf-8''a%09b.png",
  "filename*=utf-8''%E2%80%AEgnp.exe",
  "filename*=utf-8''%E2%80%8Fa.png",
  "filename*=utf-8''a%00.png",
  "filename*=utf-8''..%2F..%2Foutside.png",
  "filename*=utf-8''%ED%A0%80.png",
  "filename*=utf-8''%FF%FE.png",
  "filename*=utf-7''+AC4ALg-.png",
  'filename="\u202egnp.png"',
  'filename="a\tb.png"',
  'filename=".png"',
  'filename="nul.png"',
  'filename=""',
  "filename=",
  `filename="${"n".repeat(5_000)}.png"`,
  `filename="${"d/".repeat(200)}x.png"`,
];

describeOnDatabases("hostile uploads", (open) => {
  let server: TestServer;
  let users: TestUsers;
  let fixture: Fixture;
  let image: Buffer;
  beforeAll(async () => {
    server = await startServer(await open(), { env: { TRUST_PROXY: "true", MAX_UPLOAD_MB: "5" } });
    users = await makeTestUsers(server);
    await setPasswords(server, users);
    fixture = await makeFixture(server, users);
    image = await upright().png().toBuffer();
  });
  afterAll(() => server.close());

  test("calls that accept files exist", () => {
    expect(uploads.length).toBeGreaterThanOrEqual(4);
  });

  for (const call of uploads) {
    const what = `${call.method} ${call.path}`;

    test(`${what}: files of users without access and anonymous callers are refused and leave nothing behind`, async () => {
      const before = files();
      const callers = await validCallers(server, users);
      const strangers = callers.filter(({ role }) => role === "stranger");
      for (const { client, name, role } of [...strangers, ...(await invalidCallers(server, users))]) {
        const { status, text } = await send(call, client, 'filename="a.png"', image);
        expect(status, `${name}: ${text}`).toBe(role === "visitor" ? 401 : 404);
      }
      await expect.poll(files).toEqual(before);
    });

    test(`${what}: a member's file is stored nowhere else, and under no name that forges lines or reverses text`, async () => {
      const root = files().filter((path) => !inside(path));
      for (const disposition of DISPOSITIONS) {
        const { status, text } = await send(call, users.cast.annotator, disposition, image);
        expect(status, `${disposition.slice(0, 80)}: ${text.slice(0, 200)}`).toBeLessThan(500);
      }
      const rows = await server.db.selectFrom("images").select(["path", "file_name"]).execute();
      for (const { path, file_name } of rows) {
        expect(`${path}${file_name}`).not.toMatch(/[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(path.split("/")).not.toContain("..");
      }
      expect(existsSync(join(server.env.DATA_DIR, "..", "outside.png"))).toBe(false);
      await expect.poll(() => files().filter((path) => !inside(path))).toEqual(root);
    });

    test(`${what}: malformed bodies, unknown fields and oversized uploads return 4xx and leave nothing behind`, async () => {
      const before = files().filter((path) => !inside(path));
      for (const body of brokenBodies(call)) {
        const { status, text } = await post(call, users.cast.annotator, body);
        expect(status, `${body.subarray(0, 100)} -> ${text.slice(0, 200)}`).toBeGreaterThanOrEqual(400);
        expect(status, text.slice(0, 200)).toBeLessThan(500);
      }
      await expect.poll(() => files().filter((path) => !inside(path))).toEqual(before);
    });
  }

  test("a zip with names that escape the folder or forge lines does not pass any of them on", async () => {
    const names = ["../x.png", "/x.png", "a\r\nb.png", "a\tb.png", "\u202egnp.png", "..\\x.png", "a/../../x.png"];
    const zip = await zipOf(Object.fromEntries(names.map((name) => [name, image])));
    const bytes = Buffer.from(await zip.arrayBuffer());
    for (const call of uploads) {
      const { status, text } = await send(call, users.cast.annotator, 'filename="all.zip"', bytes);
      expect(status, text).toBeLessThan(500);
    }
  });

  const boundary = "--b\r\n";
  const end = Buffer.from("\r\n--b--\r\n");

  function send(call: Call, client: TestClient, disposition: string, content: Buffer): Promise<TestResponse> {
    const field = call.upload?.field ?? "";
    const head = `${fieldsOf(call)}${boundary}Content-Disposition: form-data; name="${field}"; ${disposition}\r\nContent-Type: image/png\r\n\r\n`;
    return post(call, client, Buffer.concat([Buffer.from(head), content, end]));
  }

  /** Returns the fields that the call requires beside the file. */
  const fieldsOf = (call: Call): string =>
    call.path === "/image/"
      ? `${boundary}Content-Disposition: form-data; name="dataset_id"\r\n\r\n${fixture.dataset}\r\n`
      : "";

  function post(call: Call, client: TestClient, body: Buffer): Promise<TestResponse> {
    const { path } = validRequest(call, fixture);
    const headers = { "Content-Type": "multipart/form-data; boundary=b" };
    return client.copy().request(call.method, pathOf(call, path), { body: new Uint8Array(body), headers });
  }

  function* brokenBodies(call: Call): Generator<Buffer> {
    const field = call.upload?.field ?? "";
    const part = (name: string, content: string) =>
      `${boundary}Content-Disposition: form-data; name="${name}"; filename="x.png"\r\n\r\n${content}\r\n`;
    yield Buffer.from("");
    yield Buffer.from("--b--\r\n");
    yield Buffer.from(`${boundary}Content-Disposition: form-data\r\n\r\nx${end}`);
    yield Buffer.from(part("__proto__", "x") + end);
    yield Buffer.from(part(`${field}[]`, "x") + end);
    yield Buffer.from(part("", "x") + end);
    yield Buffer.from(`${boundary}Content-Disposition: form-data; name="${field}"\r\n\r\nno file${end}`);
    yield Buffer.from(part(field, "cut off").slice(0, -10));
    yield Buffer.concat([Buffer.from(part(field, "x".repeat(6_500_000))), end]);
    if (!call.upload?.many) yield Buffer.concat([Buffer.from(part(field, "1") + part(field, "2")), end]);
  }

  /** Returns all files in the data folder, except those of legitimately started tasks. */
  function files(): string[] {
    return readdirSync(server.env.DATA_DIR, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/\/(uploads|zips|imports)\//.test(path))
      .sort();
  }
  /** True for paths in the folder of the dataset that members may add to. */
  const inside = (path: string): boolean => path.startsWith(server.env.DATASETS_DIR);
});
