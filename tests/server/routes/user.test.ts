import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBothDatabases } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";

describeOnBothDatabases("accounts", (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await open(), { env: { ALLOW_REGISTRATION: "false" } });
  });
  afterAll(() => server.close());

  test("exactly one of twenty users who register at once on a closed new server gets in, as admin", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `first-${i}`);
    const answers = await Promise.all(
      names.map((username) => server.visitor().post("user/register", { username, password: "secret" })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(403)]);
    expect(answers.find((answer) => answer.status === 200)?.body.user).toMatchObject({ is_admin: true });
    expect(answers.find((answer) => answer.status === 403)?.body.message).toBe(
      "Registration of new accounts is disabled.",
    );
  });
});

describeOnBothDatabases("login", (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await open());
  });
  afterAll(() => server.close());

  test("a user registers, is signed in, signs out, and signs in again ignoring case", async () => {
    const client = server.visitor();
    expect((await client.get("user/")).status).toBe(401);
    const registered = await client.post("user/register", { username: "Ann", password: "secret", name: "Ann B" });
    expect(registered.body).toMatchObject({ success: true, user: { username: "Ann", name: "Ann B", is_admin: true } });
    expect(registered.text).not.toMatch(/hash|argon/);
    expect((await client.get("user/")).body.user.username).toBe("Ann");
    const out = await client.get("user/logout");
    expect(out.body).toEqual({ success: true });
    // Neither "storage", which would clear unsent edits, nor "cookies", which other applications of the domain use too.
    expect(out.headers.get("clear-site-data")).toBe('"cache"');
    expect((await client.get("user/")).status).toBe(401);
    expect((await client.post("user/login", { username: "aNN", password: "secret" })).status).toBe(200);
    expect((await client.get("user/")).body.user.username).toBe("Ann");
  });
});
