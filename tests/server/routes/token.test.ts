import { setTimeout as wait } from "node:timers/promises";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endClosed } from "../../../server/sockets/recheckSessions";
import { describeOnBothDatabases, openEither } from "../../support/databases";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import type { TestResponse } from "../../support/testClient";

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

describeOnBothDatabases("API tokens", (open) => {
  let server: TestServer;
  let ann: TestUser;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
  });
  afterAll(() => server.close());

  const makeToken = async (user: TestUser, more: object = {}) =>
    (await user.post("user/tokens", { name: "script", ...more })).body as {
      secret: string;
      token: { id: number; prefix: string };
    };
  /** Returns a script's client: no cookie, and none of the headers that Limn's pages send. */
  const script = (secret: string) => {
    const client = server.visitor();
    client.headers = bearer(secret);
    return client;
  };
  /** Returns the row of a token. */
  const row = (id: number) =>
    server.db.selectFrom("api_tokens").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  test("tokens authenticate their owner in every call, including those that write, without further proof", async () => {
    const { secret } = await makeToken(ann);
    const client = script(secret);
    expect((await client.get("user/")).body.user.username).toBe("ann");
    const { id } = (await client.post("dataset/", { name: "by a script" })).body;
    // A GET that writes, with a browser's header: a token is never sent by a foreign page.
    expect((await client.get(`dataset/${id}/scan`)).status).toBe(200);
    expect((await client.get(`dataset/${id}/scan`, { headers: { Origin: "https://notebook.example" } })).status).toBe(
      200,
    );
    expect((await client.delete(`dataset/${id}`)).status).toBe(200);
  });

  test("tokens are shown once, and neither the table nor the list contains a usable one", async () => {
    const { secret, token } = await makeToken(ann, { name: "  laptop " });
    expect(secret).toMatch(/^limn_[\w-]{43}$/);
    const stored = await row(token.id);
    expect(JSON.stringify(stored)).not.toContain(secret.slice(12));
    const list: TestResponse = await ann.get("user/tokens");
    expect(list.body.tokens[0]).toEqual({
      id: token.id,
      name: "laptop",
      prefix: secret.slice(0, 11),
      created_at: expect.any(String),
      last_used: null,
      expires_at: null,
    });
    expect(list.text).not.toContain(stored.hash);
    for (const wrong of [
      stored.hash,
      `limn_${stored.hash.slice(0, 43)}`,
      token.prefix,
      secret.slice(0, -1),
      `${secret}a`,
    ])
      expect((await script(wrong).get("user/")).status, wrong).toBe(401);
  });

  test("tokens are accepted in the header only", async () => {
    const { secret } = await makeToken(ann);
    for (const query of [`access_token=${secret}`, `token=${secret}`, `Authorization=Bearer%20${secret}`])
      expect((await server.visitor().get(`user/?${query}`)).status).toBe(401);
    const posted = await server.visitor().post("dataset/", { name: "x", access_token: secret });
    expect(posted.status).toBe(401);
    const cookie = server.visitor();
    cookie.cookies.set("limn_session", secret.slice(5));
    expect((await cookie.get("user/")).status).toBe(401);
    const basic = Buffer.from(`ann:${secret}`).toString("base64");
    expect((await server.visitor().get("user/", { headers: { Authorization: `Basic ${basic}` } })).status).toBe(401);
    for (const Authorization of [`Bearer`, `Bearer `, `Bearer ${secret} x`, `Bearer ${secret},${secret}`, secret])
      expect((await server.visitor().get("user/", { headers: { Authorization } })).status, Authorization).toBe(401);
    // A valid cookie does not compensate for an invalid token.
    expect((await ann.get("user/", { headers: bearer("limn_wrong") })).status).toBe(401);
  });

  test("tokens cannot create other tokens, or change a password without the current one", async () => {
    const { secret } = await makeToken(ann);
    expect((await script(secret).post("user/tokens", { name: "child" })).status).toBe(403);
    const change = await script(secret).post("user/password", { password: "guess", new_password: "mine now" });
    expect(change.status).toBe(400);
  });

  test("tokens stop working once revoked, and only their owner can revoke them", async () => {
    const bob = await server.user("bob");
    const { secret, token } = await makeToken(ann);
    expect((await bob.delete(`user/tokens/${token.id}`)).status).toBe(404);
    expect((await bob.get("user/tokens")).body.tokens).toEqual([]);
    expect((await script(secret).get("user/")).status).toBe(200);
    expect((await ann.delete(`user/tokens/${token.id}`)).status).toBe(200);
    expect((await script(secret).get("user/")).status).toBe(401);
    expect((await ann.delete(`user/tokens/${token.id}`)).status).toBe(404);
  });

  test("tokens stop working at their expiry", async () => {
    const { secret, token } = await makeToken(ann, { expires_in_days: 1 });
    const left = (await row(token.id)).expires_at!.getTime() - Date.now();
    expect(left).toBeGreaterThan(23 * 3_600_000);
    expect(left).toBeLessThan(25 * 3_600_000);
    expect((await script(secret).get("user/")).status).toBe(200);
    const past = new Date(Date.now() - 1000);
    await server.db.updateTable("api_tokens").set({ expires_at: past }).where("id", "=", token.id).execute();
    expect((await script(secret).get("user/")).status).toBe(401);
  });

  test("tokens record their last use, at most once a minute", async () => {
    const { secret, token } = await makeToken(ann);
    await script(secret).get("user/");
    const first = (await row(token.id)).last_used!;
    expect(Math.abs(first.getTime() - Date.now())).toBeLessThan(600_000);
    await script(secret).get("user/");
    expect((await row(token.id)).last_used).toEqual(first);
    const earlier = new Date(first.getTime() - 61_000);
    await server.db.updateTable("api_tokens").set({ last_used: earlier }).where("id", "=", token.id).execute();
    await script(secret).get("user/");
    expect((await row(token.id)).last_used!.getTime()).toBeGreaterThan(earlier.getTime());
  });

  test("tokens are limited to fifty, also for simultaneous requests", async () => {
    const carl = await server.user("carl");
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => carl.post("user/tokens", { name: `token ${i}` })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(50).fill(200), ...Array(10).fill(409)]);
    for (const bad of [{}, { name: "" }, { name: "  " }, { name: "x".repeat(101) }, { name: 5 }])
      expect((await ann.post("user/tokens", bad)).status).toBe(400);
    for (const expires_in_days of [0, -1, 1.5, 3651, "7"])
      expect((await ann.post("user/tokens", { name: "x", expires_in_days })).status).toBe(400);
  });

  test("tokens survive a changed password, unless the user chooses to end them", async () => {
    const user = server.visitor();
    await user.post("user/register", { username: "dora", password: "secret" });
    const { secret } = (await user.post("user/tokens", { name: "script" })).body;
    const change = (password: string, new_password: string, more: object = {}) =>
      user.post("user/password", { password, new_password, ...more });
    expect((await change("secret", "another")).status).toBe(200);
    expect((await script(secret).get("user/")).status).toBe(200);
    expect((await change("another", "a third", { end_tokens: true })).status).toBe(200);
    expect((await script(secret).get("user/")).status).toBe(401);
    expect((await user.get("user/")).status).toBe(200);
  });

  test("tokens open the live connection, which ends with them", async () => {
    const erin = await server.user("erin");
    const { secret, token } = await makeToken(erin);
    const { origin, pathname } = new URL(server.url);
    const socket = io(origin, {
      path: `${pathname}socket.io`,
      transports: ["websocket"],
      extraHeaders: bearer(secret),
      forceNew: true,
      reconnectionDelay: 20,
    });
    await new Promise((resolve) => socket.once("connect", () => resolve(undefined)));
    await endClosed(server.sockets.io, server.db);
    await wait(20);
    expect(socket.connected).toBe(true);
    const refused = new Promise<Error>((resolve) => socket.once("connect_error", resolve));
    await server.db
      .updateTable("api_tokens")
      .set({ expires_at: new Date(0) })
      .where("id", "=", token.id)
      .execute();
    await endClosed(server.sockets.io, server.db);
    expect((await refused).message).toBe("Authorization required");
    socket.close();
  });
});

describe("with login disabled", () => {
  test("there are no tokens", async () => {
    const database = await openEither();
    const server = await startServer(database, { env: { LOGIN_DISABLED: "true" } });
    for (const answer of [
      await server.visitor().get("user/tokens"),
      await server.visitor().post("user/tokens", { name: "x" }),
      await server.visitor().delete("user/tokens/1"),
    ])
      expect(answer).toMatchObject({ status: 403, body: { message: "Login is disabled on this server." } });
    await server.close();
    await database.close();
  });
});
