import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBothDatabases } from "../../../support/databases";
import { seedDataset } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnBothDatabases("members of a dataset", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let mia: TestUser;
  let boss: TestUser;
  let eve: TestUser;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    mia = await server.user("Mia");
    boss = await server.user("boss", { admin: true });
    eve = await server.user("eve");
  });
  afterAll(() => server.close());

  test("members are the owner, then the users it is shared with, each with a group and when it was last seen", async () => {
    const id = await seedDataset(server.db, { ownerId: mia.id, members: [boss.id, ann.id] });
    await server.db.updateTable("users").set({ last_seen: null }).where("id", "=", boss.id).execute();
    const { status, body } = await ann.get(`dataset/${id}/users`);
    expect(status).toBe(200);
    expect(body.map((member: { username: string; group: string }) => [member.username, member.group])).toEqual([
      ["Mia", "Owner"],
      ["ann", "Member"],
      ["boss", "Admin"],
    ]);
    const [owner, , admin] = body;
    expect(new Date(owner.last_seen.$date).toISOString()).toBe(owner.last_seen_at);
    expect(Date.now() - owner.last_seen.$date).toBeLessThan(600_000);
    expect([admin.last_seen, admin.last_seen_at]).toEqual([null, null]);
    expect(Object.keys(owner).sort()).toEqual([
      "group",
      "is_admin",
      "last_seen",
      "last_seen_at",
      "name",
      "role",
      "username",
    ]);
  });

  test("members are visible to other admins, who are not members; for users without access the dataset does not exist", async () => {
    const id = await seedDataset(server.db, { ownerId: ann.id });
    const seen = await boss.get(`dataset/${id}/users`);
    expect(seen.body.map((member: { username: string }) => member.username)).toEqual(["ann"]);
    for (const answer of [await eve.get(`dataset/${id}/users`), await ann.get("dataset/999999999/users")])
      expect([answer.status, answer.body.message]).toEqual([404, "Invalid dataset id"]);
    expect((await ann.get("dataset/x/users")).status).toBe(404);
  });

  test("a dataset without an owner has the users it is shared with as members", async () => {
    const id = await seedDataset(server.db, { ownerId: null, members: [ann.id] });
    expect((await ann.get(`dataset/${id}/users`)).body).toMatchObject([{ username: "ann", group: "Member" }]);
    expect((await boss.get(`dataset/${id}/share?begin=M`)).body).toEqual(["Mia"]);
  });

  test("users are suggested to the owner by the beginning of their names, without existing members", async () => {
    const id = await seedDataset(server.db, { ownerId: ann.id, members: [boss.id] });
    const ask = async (begin: string) => (await ann.get(`dataset/${id}/share?begin=${encodeURIComponent(begin)}`)).body;
    expect(await ask("m")).toEqual(["Mia"]);
    for (const begin of ["bo", "an", "ia", "%", "_", "M%"]) expect([begin, await ask(begin)]).toEqual([begin, []]);
    for (const query of ["", "?begin="]) expect((await ann.get(`dataset/${id}/share${query}`)).status).toBe(400);
    await ann.post(`dataset/${id}/share`, { users: ["MIA"] });
    expect(await ask("m")).toEqual([]);
  });
});
