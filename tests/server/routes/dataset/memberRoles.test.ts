import { io } from "socket.io-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeOnBothDatabases } from "../../../support/databases";
import { seedDataset, seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnBothDatabases("roles of a dataset's members", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let mia: TestUser;
  let tom: TestUser;
  let zoe: TestUser;
  let dataset: number;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    mia = await server.user("Mia");
    tom = await server.user("tom");
    zoe = await server.user("zoe");
  });
  beforeEach(async () => {
    dataset = await seedDataset(server.db, { ownerId: ann.id });
  });
  afterAll(() => server.close());

  const share = (body: object, by = ann) => by.post(`dataset/${dataset}/share`, body);
  /** Returns the roles as a dataset's document shows them. */
  async function roles(): Promise<Record<string, string>> {
    const { body } = await ann.get(`dataset/${dataset}`);
    const shown: { username: string; role: string }[] = body.members;
    expect(shown.map(({ username }) => username)).toEqual(body.users);
    return Object.fromEntries(shown.map(({ username, role }) => [username, role]));
  }

  test("members who are added without a role become annotators", async () => {
    await share({ users: ["mia"] });
    await share({ add: ["tom"] });
    expect(await roles()).toEqual({ Mia: "annotator", tom: "annotator" });
  });

  test("roles are set while sharing, and later by themselves", async () => {
    expect((await share({ add: ["mia", "tom"], roles: { MIA: "viewer" } })).status).toBe(200);
    expect(await roles()).toEqual({ Mia: "viewer", tom: "annotator" });
    expect((await share({ roles: { mia: "reviewer", tom: "maintainer" } })).status).toBe(200);
    expect(await roles()).toEqual({ Mia: "reviewer", tom: "maintainer" });
    const listed = (await mia.get(`dataset/${dataset}/users`)).body as { username: string; role: string | null }[];
    expect(listed.map(({ username, role }) => [username, role])).toEqual([
      ["ann", null],
      ["Mia", "reviewer"],
      ["tom", "maintainer"],
    ]);
  });

  test("a list of names keeps the roles of those who stay", async () => {
    await share({ add: ["mia", "tom"], roles: { mia: "viewer", tom: "reviewer" } });
    await share({ users: ["tom", "mia", "zoe"] });
    expect(await roles()).toEqual({ Mia: "viewer", tom: "reviewer", zoe: "annotator" });
    await share({ users: ["tom"] });
    await share({ users: ["tom", "mia"] });
    expect(await roles()).toEqual({ Mia: "annotator", tom: "reviewer" });
  });

  test("roles of users who are no members, and unknown roles, are refused as a whole", async () => {
    await share({ add: ["mia"] });
    for (const body of [
      { roles: { tom: "viewer" } },
      { add: ["zoe"], roles: { nobody: "viewer" } },
      { roles: { mia: "king" } },
    ])
      expect([body, (await share(body)).status]).toEqual([body, 400]);
    expect((await share({ roles: { ann: "viewer" } })).status).toBe(400);
    expect(await roles()).toEqual({ Mia: "annotator" });
  });

  test("maintainers share and change roles, but only the owner makes and removes maintainers", async () => {
    await share({ add: ["mia", "tom"], roles: { mia: "maintainer" } });
    expect((await share({ add: ["zoe"], roles: { zoe: "viewer", tom: "reviewer" } }, mia)).status).toBe(200);
    expect(await roles()).toEqual({ Mia: "maintainer", tom: "reviewer", zoe: "viewer" });
    for (const body of [
      { roles: { tom: "maintainer" } },
      { roles: { mia: "annotator" } },
      { remove: ["mia"] },
      { users: ["tom", "zoe"] },
    ]) {
      const { status, body: answer } = await share(body, mia);
      expect([body, status, answer.message]).toEqual([body, 403, "Only the owner can make and remove maintainers"]);
    }
    expect((await share({ remove: ["zoe"] }, mia)).status).toBe(200);
    for (const by of [tom, zoe]) expect((await share({ add: ["zoe"] }, by)).status).toBeGreaterThanOrEqual(403);
    expect((await share({ roles: { tom: "maintainer" } })).status).toBe(200);
    expect(await roles()).toEqual({ Mia: "maintainer", tom: "maintainer" });
  });

  test("a viewer's calls that would change something are refused with the reason, and a promotion permits them", async () => {
    const image = await seedImage(server.db, dataset);
    await share({ add: ["mia"], roles: { mia: "viewer" } });
    const mark = () => mia.post(`dataset/${dataset}/images/mark`, { ids: [image], done: true });
    expect(await mark()).toMatchObject({
      status: 403,
      body: { message: "You can look at this dataset but not change it.", code: "read_only" },
    });
    await share({ roles: { mia: "annotator" } });
    expect((await mark()).status).toBe(200);
  });

  test("a viewer's new category is created, but not added to the dataset", async () => {
    await share({ add: ["zoe"], roles: { zoe: "viewer" } });
    expect((await zoe.post("category/", { name: "mine", dataset })).status).toBe(200);
    expect((await ann.get(`dataset/${dataset}`)).body.categories).toEqual([]);
  });

  test("a user whose role changes is notified, and other users are not", async () => {
    await share({ add: ["mia", "tom"] });
    const events: string[] = [];
    const sockets = [mia, tom].map((user) => {
      const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const socket = io(new URL(user.url).origin, { transports: ["websocket"], extraHeaders: { Cookie: cookie } });
      socket.on("role", ({ dataset_id }) => events.push(`${user.username} ${dataset_id}`));
      return socket;
    });
    await expect.poll(() => sockets.every((socket) => socket.connected)).toBe(true);
    await share({ roles: { mia: "viewer", tom: "annotator" } });
    await share({ roles: { tom: "reviewer" } });
    await expect.poll(() => events).toEqual([`Mia ${dataset}`, `tom ${dataset}`]);
    for (const socket of sockets) socket.close();
  });

  test("a former maintainer's tasks and exports are out of reach", async () => {
    await share({ add: ["mia"], roles: { mia: "maintainer" } });
    expect((await mia.get(`dataset/${dataset}/exports`)).status).toBe(200);
    await share({ roles: { mia: "annotator" } });
    expect((await mia.get(`dataset/${dataset}/exports`)).status).toBe(403);
  });
});
