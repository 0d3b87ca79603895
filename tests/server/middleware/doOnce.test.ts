import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { doOnce } from "../../../server/middleware/doOnce";
import { COMMAND_HEADER } from "../../../shared/api/protocol/headers";
import { describeOnBothDatabases } from "../../support/databases";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnBothDatabases("a command with an id", (open) => {
  let server: TestServer;
  let ann: TestUser;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann", { admin: true });
  });
  afterAll(() => server.close());

  const named = (id: string = randomUUID()) => ({ headers: { "X-Limn-Command": id } });
  const tokens = async () => (await ann.get("user/tokens")).body.tokens.length;

  test("is done once, and answered to each who sends it", async () => {
    const command = named();
    const body = { name: "script", expires_in_days: null };
    const [first, second] = await Promise.all([
      ann.post("user/tokens", body, command),
      ann.post("user/tokens", body, command),
    ]);
    const third = await ann.post("user/tokens", body, command);
    expect(first.status).toBe(200);
    expect([second.text, third.text]).toEqual([first.text, first.text]);
    expect(await tokens()).toBe(1);
    expect((await ann.post("user/tokens", body, named())).body.secret).not.toBe(first.body.secret);
    expect((await ann.post("user/tokens", body)).status).toBe(200);
    expect(await tokens()).toBe(3);
  });

  test("answers that a thing is deleted though it is gone by now", async () => {
    const { id } = (await ann.post("dataset/", { name: "Gone" })).body;
    const command = named();
    expect((await ann.delete(`dataset/${id}`, command)).status).toBe(200);
    expect((await ann.delete(`dataset/${id}`, command)).body).toEqual({ success: true });
    expect((await ann.delete(`dataset/${id}`, named())).status).toBe(404);
  });

  test("is done anew where it has failed", async () => {
    const command = named();
    expect((await ann.post("dataset/", { name: "Gone" }, command)).status).toBe(409);
    await ann.delete(`undo/?id=${(await ann.get("undo/list/?type=dataset&limit=50")).body[0].id}&instance=dataset`);
    await server.db.updateTable("datasets").set({ purged_at: new Date() }).where("name", "=", "Gone").execute();
    expect((await ann.post("dataset/", { name: "Gone" }, command)).status).toBe(200);
  });

  test("is another one for another user, another call and another thing", async () => {
    const command = named();
    const bob = await server.user("bob");
    const body = { name: "of both", expires_in_days: null };
    const mine = await ann.post("user/tokens", body, command);
    const others = await bob.post("user/tokens", body, command);
    expect(others.body.secret).not.toBe(mine.body.secret);
    const [{ id }] = (await ann.get("user/tokens")).body.tokens;
    expect((await ann.delete(`user/tokens/${id}`, command)).status).toBe(200);
    expect((await ann.delete(`user/tokens/${id + 1000}`, command)).status).toBe(404);
  });

  test("needs the rights that it needs without one, also when it is sent again", async () => {
    const command = named();
    const eve = await server.user("eve", { admin: true });
    const account = { username: "made.by.eve", password: "correct horse" };
    expect((await eve.post("admin/user/", account, command)).status).toBe(200);
    await server.db.updateTable("users").set({ is_admin: false }).where("id", "=", eve.id).execute();
    expect((await eve.post("admin/user/", account, command)).status).toBe(403);
    expect((await server.visitor().post("admin/user/", account, command)).status).toBe(401);
  });

  test("is refused for an id of another form", async () => {
    for (const id of ["short", "x".repeat(65), "with blanks in between it"])
      expect((await ann.post("dataset/", { name: "Never" }, named(id))).status).toBe(400);
  });

  test("is done anew where its outcome is too large to be kept", async () => {
    const headers = { [COMMAND_HEADER]: randomUUID() };
    const sizes = [10, 3_000, 3_000, 10];
    const results = [];
    for (const [i, size] of sizes.entries())
      results.push(await doOnce(server.db, headers, `of ${size}`, async () => ({ i, list: Array(size).fill(i) })));
    expect(results.map(({ i }) => i)).toEqual([0, 1, 2, 0]);
  });
});
