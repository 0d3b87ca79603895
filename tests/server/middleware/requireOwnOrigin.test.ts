import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isOfHost } from "../../../server/middleware/requireOwnOrigin";
import { openEither, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import type { TestClient } from "../../support/testClient";

type Headers = Record<string, string>;

describe("the origin of a call", () => {
  let database: TestDatabase;
  let server: TestServer;
  let open: TestServer;
  let ann: TestUser;
  let basic: Headers;
  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database);
    open = await startServer(database, { env: { LOGIN_DISABLED: "true" } });
    ann = await server.user("ann");
    ann.headers = {};
    await server.visitor().post("user/register", { username: "script", password: "secret" });
    basic = { Authorization: `Basic ${Buffer.from("script:secret").toString("base64")}` };
  });
  afterAll(async () => {
    await Promise.all([server.close(), open.close()]);
    await database.close();
  });

  const create = async (headers: Headers, client: TestClient = ann) =>
    (await client.post("category/", { name: crypto.randomUUID() }, { headers })).status;
  /** A call without a body that writes by GET. A session is created for each attempt. */
  const logOut = async (headers: Headers) => {
    const user = await server.user(`u${crypto.randomUUID().slice(0, 8)}`);
    user.headers = {};
    return (await user.get("user/logout", { headers })).status;
  };
  const own = () => new URL(server.url).origin;

  test("refuses pages of other sites, whichever of the two headers reveals them", async () => {
    const foreign: Headers[] = [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: `${own()}.evil.example` },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "none" },
      { "Sec-Fetch-Site": "same-origin", Origin: "https://evil.example" },
      { "Sec-Fetch-Site": "cross-site", Origin: own() },
    ];
    for (const headers of foreign) {
      const say = JSON.stringify(headers);
      expect(await create(headers), say).toBe(403);
      expect(await logOut({ ...headers, "X-Requested-With": "x" }), say).toBe(403);
      expect((await server.visitor().post("user/login", { username: "a", password: "b" }, { headers })).status).toBe(
        403,
      );
    }
  });

  test("accepts pages of this application", async () => {
    expect(await create({ Origin: own(), "Sec-Fetch-Site": "same-origin" })).toBe(200);
    expect(await logOut({ "Sec-Fetch-Site": "same-origin" })).toBe(200);
  });

  test("accepts calls without an origin, except a GET that writes", async () => {
    expect(await create({})).toBe(200);
    expect(await logOut({})).toBe(403);
    expect(await logOut({ "X-Requested-With": "limn" })).toBe(200);
  });

  test("accepts calls that only read from anywhere", async () => {
    const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    expect((await ann.get("category/", { headers })).status).toBe(200);
  });

  test("scripts with a password need no origin", async () => {
    const script = server.visitor();
    script.headers = {};
    expect(await create(basic, script)).toBe(200);
    expect((await script.get("user/logout", { headers: basic })).status).toBe(200);
  });

  test("the origin is checked for anonymous callers with login disabled too", async () => {
    const visitor = open.visitor();
    visitor.headers = {};
    expect(await create({ Origin: "https://evil.example" }, visitor)).toBe(403);
    expect(await create({ ...basic, Origin: "https://evil.example" }, visitor)).toBe(403);
    expect(await create({}, visitor)).toBe(200);
  });

  test("treats a host with and without its scheme's port as the same, and no other", () => {
    expect(isOfHost("https://limn.example", "limn.example:443")).toBe(true);
    expect(isOfHost("http://limn.example:80", "limn.example")).toBe(true);
    expect(isOfHost("http://LIMN.example", "limn.example")).toBe(true);
    expect(isOfHost("http://[::1]:5000", "[::1]:5000")).toBe(true);
    for (const [origin, host] of [
      ["https://limn.example", "limn.example:444"],
      ["https://limn.example", ""],
      ["null", "null"],
      ["https://a@limn.example.evil", "limn.example"],
      ["https://limn.example", "limn.example@evil"],
      ["file:///x", ""],
    ] as const)
      expect(isOfHost(origin, host), `${origin} ${host}`).toBe(false);
  });
});
