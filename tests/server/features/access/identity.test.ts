import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEither, type TestDatabase } from "../../../support/databases";
import { startServer, type TestServer } from "../../../support/server";

const withPassword = (username: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
});
const from = (address: string) => ({ "X-Forwarded-For": address });

describe("identity", () => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database, { env: { TRUST_PROXY: "true" } });
    for (const username of ["ann", "bob", "carl", "dora"])
      await server.visitor().post("user/register", { username, password: "secret" });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  const status = async (headers: Record<string, string>) => (await server.visitor().get("user/", { headers })).status;
  const login = (username: string, password: string, address: string) =>
    server.visitor().post("user/login", { username, password }, { headers: from(address) });

  test("a user is identified by name and password in each call, whatever the case of the name", async () => {
    expect(await status(withPassword("ANN", "secret"))).toBe(200);
    expect(await status(withPassword("ann", "Secret"))).toBe(401);
    expect(await status(withPassword("nobody", "secret"))).toBe(401);
    for (const Authorization of ["Basic", "Basic !!", "Basic YW5u", "Bearer x", "Basic OnNlY3JldA==", "x"])
      expect(await status({ Authorization }), Authorization).toBe(401);
  });

  test("a login is requested without making browsers open a dialog", async () => {
    expect((await server.visitor().get("user/")).headers.get("www-authenticate")).toBeNull();
  });

  test("a name is not treated as a pattern", async () => {
    for (const username of ["an_", "a%", "ann\u0000", "ａnn"])
      expect([400, 401]).toContain((await login(username, "secret", "10.0.9.1")).status);
  });

  test("ten wrong passwords block a name for one address, and leave it open to others", async () => {
    const tries = await Promise.all(Array.from({ length: 40 }, (_, i) => login("bob", `wrong ${i}`, "10.0.0.1")));
    const outcomes = tries.map((answer) => answer.status).sort();
    expect(outcomes).toEqual([...Array(10).fill(400), ...Array(30).fill(429)]);
    const late = await login("bob", "secret", "10.0.0.1");
    expect(late.status).toBe(429);
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await login("bob", "secret", "10.0.0.2")).status).toBe(200);
    expect(await status({ ...withPassword("bob", "secret"), ...from("10.0.0.3") })).toBe(200);
  });

  test("the client address is taken from a trusted proxy, not from the caller", async () => {
    const spoofed = await Promise.all(
      Array.from({ length: 12 }, (_, i) => login("carl", `wrong ${i}`, `1.2.3.${i}, 10.0.2.1`)),
    );
    expect(spoofed.filter((answer) => answer.status === 429)).toHaveLength(2);
  });

  test("correct passwords never count as failures, however many at once", async () => {
    const many = await Promise.all(
      Array.from({ length: 50 }, () => status({ ...withPassword("carl", "secret"), ...from("10.0.3.1") })),
    );
    expect(new Set(many)).toEqual(new Set([200]));
    for (let i = 0; i < 15; i++) expect((await login("carl", "secret", "10.0.3.1")).status).toBe(200);
  });

  test("a changed password ends the other sessions and invalidates the cached old one at once", async () => {
    const [here, there] = [server.visitor(), server.visitor()];
    for (const client of [here, there]) await client.post("user/login", { username: "dora", password: "secret" });
    expect(await status(withPassword("dora", "secret"))).toBe(200);
    const wrong = await here.post("user/password", { password: "no", new_password: "brand new" });
    expect(wrong).toMatchObject({ status: 400, body: { message: "Password does not match current password" } });
    const short = await here.post("user/password", { password: "secret", new_password: "four" });
    expect(short.body.message).toBe("Minimum length of 5 characters.");
    const other = { password: "secret", new_password: "brand new", confirm_password: "brand old" };
    expect((await here.post("user/password", other)).status).toBe(400);
    expect((await here.get("user/")).status).toBe(200);
    const before = here.cookies.get("limn_session");
    expect((await here.post("user/password", { password: "secret", new_password: "brand new" })).status).toBe(200);
    expect(here.cookies.get("limn_session")).not.toBe(before);
    expect((await here.get("user/")).status).toBe(200);
    expect((await there.get("user/")).status).toBe(401);
    expect(await status(withPassword("dora", "secret"))).toBe(401);
    expect(await status(withPassword("dora", "brand new"))).toBe(200);
  });

  test("a cookie cannot be forged, and an old one expires", async () => {
    const client = server.visitor();
    for (const token of ["x", "0".repeat(43), "' or 1=1 --", "%00"]) {
      client.cookies.set("limn_session", token);
      expect((await client.get("user/")).status).toBe(401);
    }
    const user = await server.user("expired");
    const [session] = await server.db.selectFrom("sessions").selectAll().where("user_id", "=", user.id).execute();
    client.cookies.set("limn_session", session?.id ?? "");
    expect((await client.get("user/")).status).toBe(401);
    await server.db
      .updateTable("sessions")
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where("user_id", "=", user.id)
      .execute();
    expect((await user.get("user/")).status).toBe(401);
  });

  test("a clock that was ahead for a while makes no session last longer", async () => {
    const user = await server.user("traveller");
    const ofUser = (query: string) =>
      sql.raw<{ ok: boolean }>(query.replaceAll("$id", String(user.id))).execute(server.db);
    await ofUser("update users set last_seen = now() + interval '30 days' where id = $id");
    await ofUser("update sessions set expires_at = now() + interval '37 days' where user_id = $id");
    expect((await user.get("user/")).status).toBe(200);
    const { rows } = await ofUser(`select s.expires_at <= now() + interval '7 days' and u.last_seen <= now() as ok
      from sessions s join users u on u.id = s.user_id where u.id = $id`);
    expect(rows).toEqual([{ ok: true }]);
  });

  test("the cookie is HTTP-only, and secure over TLS", async () => {
    const cookieOf = async (headers: Record<string, string>) =>
      (
        await server.visitor().fetch("POST", "user/login", {
          body: JSON.stringify({ username: "ann", password: "secret" }),
          headers: { "Content-Type": "application/json", ...headers },
        })
      ).headers.get("set-cookie");
    expect(await cookieOf({})).toMatch(/^limn_session=[\w-]{43}; path=\/; expires=.*; samesite=lax; httponly$/);
    expect(await cookieOf({ "X-Forwarded-Proto": "https" })).toMatch(/; secure;/);
  });

  test("registration refuses invalid, taken and reserved names, and short passwords", async () => {
    const register = (username: unknown, password: unknown = "secret") =>
      server.visitor().post("user/register", { username, password });
    for (const name of [
      "",
      "a b",
      "ä",
      "a".repeat(26),
      "a/b",
      "<i>",
      "..",
      "anonymous",
      "SYSTEM",
      null,
      5,
      ["ann"],
      { $ne: 1 },
    ])
      expect((await register(name)).status, String(name)).toBe(400);
    expect((await register("a b")).body.message).toBe("Invalid username format");
    expect(await register("ANN")).toMatchObject({ status: 409, body: { message: "Username already exists." } });
    expect((await register("new", "1234")).body.message).toBe("Minimum length of 5 characters.");
    expect((await register("new", "x".repeat(300))).status).toBe(400);
    const { body } = await server
      .visitor()
      .post("user/register", { username: "sly", password: "secret", is_admin: true });
    expect(body.user.is_admin).toBe(false);
    const twins = await Promise.all([..."abcdefghij"].map(() => register("twin")));
    expect(twins.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(twins.filter((answer) => answer.status === 409)).toHaveLength(9);
  });
});

describe("with login disabled", () => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database, { env: { LOGIN_DISABLED: "true", BASE_PATH: "/limn" } });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  test("every caller is anonymous, owns everything, and has no account", async () => {
    const visitor = server.visitor();
    expect((await visitor.get("user/")).body.user).toMatchObject({
      username: "anonymous",
      name: "Anonymous User",
      is_admin: false,
      anonymous: true,
    });
    expect((await visitor.get("info/")).body).toMatchObject({ login_enabled: false, total_users: 0 });
    const { id } = (await visitor.post("dataset/", { name: "open to all" })).body;
    expect((await server.visitor().delete(`dataset/${id}`)).status).toBe(200);
    expect((await visitor.post("user/register", { username: "ann", password: "secret" })).status).toBe(403);
    expect((await visitor.post("user/password", { password: "a", new_password: "secret" })).status).toBe(403);
  });

  test("no caller is anonymous once login is enabled again, and the first account becomes admin", async () => {
    const closed = await startServer(database);
    expect((await closed.visitor().post("user/login", { username: "anonymous", password: "x" })).status).toBe(400);
    expect((await closed.visitor().get("user/", { headers: withPassword("anonymous", "") })).status).toBe(401);
    const { body } = await closed.visitor().post("user/register", { username: "ann", password: "secret" });
    expect(body.user.is_admin).toBe(true);
    await closed.close();
  });
});
