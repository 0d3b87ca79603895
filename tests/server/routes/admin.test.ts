import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken } from "../../../server/features/access/tokens";
import { clearClosedAccounts } from "../../../server/features/accounts/clearAccount";
import { describeOnDatabases, openEither } from "../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnDatabases("the administration of accounts", (open) => {
  let server: TestServer;
  let boss: TestUser;
  beforeAll(async () => {
    server = await startServer(await open(), { env: { ALLOW_REGISTRATION: "false" } });
    boss = await server.user("boss", { admin: true });
  });
  afterAll(() => server.close());

  const login = (username: string, password: string) => server.visitor().post("user/login", { username, password });

  test("lists accounts, the oldest first, with pages counted from zero", async () => {
    const first = await server.user("first");
    await seedDataset(server.db, { ownerId: first.id });
    const { body, text } = await boss.get("admin/users?limit=1&page=2");
    expect(body).toMatchObject({ page: 1, per_page: 1, users: [{ username: "first", is_admin: false, datasets: 1 }] });
    expect(body.pages).toBe(body.total);
    expect(text).not.toMatch(/hash|preferences/);
    expect((await boss.get("admin/users")).body).toMatchObject({ per_page: 50, page: 0, pages: 1 });
    expect((await boss.get("admin/users?limit=1&page=99")).body.users).toHaveLength(1);
    for (const query of ["limit=0", "limit=1001", "limit=-1", "limit=x", "page=0", "page=1.5"])
      expect((await boss.get(`admin/users?${query}`)).status, query).toBe(400);
  });

  test("finds accounts by part of their username or name", async () => {
    await boss.post("admin/user/", { username: "finder", password: "secret", name: "Łucja" });
    for (const search of ["FIND", "łuc", "lucja"]) {
      const { body } = await boss.get(`admin/users?search=${encodeURIComponent(search)}`);
      expect(body, search).toMatchObject({ total: 1, users: [{ username: "finder" }] });
    }
    expect((await boss.get("admin/users?search=nobody%25")).body).toMatchObject({ total: 0, users: [] });
  });

  test("creates accounts while registration is closed, and returns the new one", async () => {
    const made = await boss.post("admin/user/", {
      username: "Maria",
      password: "secret",
      name: "Maria B",
      isAdmin: true,
    });
    expect(made.body).toMatchObject({ success: true, user: { username: "Maria", name: "Maria B", is_admin: true } });
    expect((await login("maria", "secret")).status).toBe(200);
    expect((await boss.post("admin/user/", { username: "MARIA", password: "secret" })).status).toBe(409);
    const plain = await boss.post("admin/user", { username: "plain", password: "secret", is_admin: true, id: 1 });
    expect(plain.body.user.is_admin).toBe(false);
    for (const bad of [
      { username: "x y", password: "secret" },
      { username: "аdmin", password: "secret" },
      { username: "x".repeat(10_000), password: "secret" },
      { username: "anonymous", password: "secret" },
      { username: "new", password: "1234" },
      { username: "new", password: "" },
      { username: "new", password: "x".repeat(300) },
      { username: "new", password: "secret", isAdmin: "false" },
      { username: "new", password: "secret", isAdmin: 1 },
      { username: "new" },
    ])
      expect((await boss.post("admin/user/", bad)).status, JSON.stringify(bad).slice(0, 80)).toBe(400);
  });

  test("administration is closed to other users and anonymous callers", async () => {
    const other = await server.user("other");
    for (const [client, status] of [
      [other, 403],
      [server.visitor(), 401],
    ] as const) {
      expect((await client.get("admin/users")).status).toBe(status);
      expect((await client.get("admin/user/boss")).status).toBe(status);
      expect((await client.post("admin/user/", { username: "x", password: "secret", isAdmin: true })).status).toBe(
        status,
      );
      expect((await client.request("PATCH", "admin/user/other", { json: { isAdmin: true } })).status).toBe(status);
      expect((await client.delete("admin/user/boss")).status).toBe(status);
    }
    for (const path of ["ADMIN/users", "admin//users", "admin/users/", "Admin/users", "admin%2fusers", "admin/./users"])
      expect([401, 403, 404], path).toContain((await other.get(path)).status);
    const sneaky = await other.post("user/password", { password: "x", new_password: "secret", is_admin: true });
    expect(sneaky.status).toBe(400);
  });

  test("changes name and rights, whatever the case of the name, and ignores empty fields", async () => {
    await server.user("nora");
    const change = (json: object) => boss.request("PATCH", "admin/user/NORA", { json });
    expect((await change({ name: "Nora N" })).body).toMatchObject({
      username: "nora",
      name: "Nora N",
      is_admin: false,
    });
    expect((await change({ name: "", password: "", isAdmin: null })).body).toMatchObject({ name: "Nora N" });
    expect((await change({ isAdmin: true })).body).toMatchObject({ name: "Nora N", is_admin: true });
    expect((await boss.get("admin/user/nora")).body.is_admin).toBe(true);
    expect((await change({ isAdmin: "false" })).status).toBe(400);
    expect((await change({ isAdmin: false })).body.is_admin).toBe(false);
    expect((await change({ password: "1234" })).status).toBe(400);
    for (const name of ["nobody", "anonymous", "n%", "n_ra", "%00", "x".repeat(200)])
      expect((await boss.request("PATCH", `admin/user/${name}`, { json: { name: "x" } })).status, name).toBe(404);
  });

  test("sets a new password, and ends sessions and API tokens of the old one", async () => {
    await boss.post("admin/user/", { username: "lost", password: "old secret" });
    const here = server.visitor();
    await here.post("user/login", { username: "lost", password: "old secret" });
    const { secret } = (await here.post("user/tokens", { name: "script" })).body;
    expect((await boss.request("PATCH", "admin/user/lost", { json: { password: "new secret" } })).status).toBe(200);
    expect((await here.get("user/")).status).toBe(401);
    expect((await server.visitor().get("user/", { headers: { Authorization: `Bearer ${secret}` } })).status).toBe(401);
    expect((await login("lost", "old secret")).status).toBe(400);
    expect((await login("lost", "new secret")).status).toBe(200);
  });

  test("deletes an account: it can no longer be used, and nothing that it created is lost", async () => {
    const { db } = server;
    const gone = await server.user("gone");
    const friend = await server.user("friend");
    const dataset = await seedDataset(db, { ownerId: gone.id, members: [friend.id] });
    const shared = await seedDataset(db, { ownerId: friend.id, members: [gone.id] });
    const category = await seedCategory(db, gone.id);
    const image = await seedImage(db, dataset);
    const annotation = await seedAnnotation(db, image, category);
    await db
      .updateTable("annotations")
      .set({ creator_id: gone.id, creator_name: "gone" })
      .where("id", "=", annotation)
      .execute();
    const { secret } = await createToken(db, gone.id, { name: "script" });
    const { origin, pathname } = new URL(server.url);
    const cookie = [...gone.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const socket = io(origin, {
      path: `${pathname}socket.io`,
      transports: ["websocket"],
      extraHeaders: { Cookie: cookie },
      forceNew: true,
      reconnectionDelay: 20,
    });
    await new Promise((resolve) => socket.once("connect", () => resolve(undefined)));
    const refused = new Promise<Error>((resolve) => socket.once("connect_error", resolve));

    expect((await boss.delete("admin/user/GONE")).body).toEqual({ success: true });
    expect((await refused).message).toBe("Authorization required");
    socket.close();
    expect((await gone.get("user/")).status).toBe(401);
    expect((await server.visitor().get("user/", { headers: { Authorization: `Bearer ${secret}` } })).status).toBe(401);
    expect((await boss.delete("admin/user/gone")).status).toBe(404);

    const kept = await db.selectFrom("annotations").selectAll().where("id", "=", annotation).executeTakeFirstOrThrow();
    expect(kept).toMatchObject({ creator_id: null, creator_name: "gone", deleted_at: null });
    expect((await friend.get(`dataset/${dataset}/data`)).status).toBe(200);
    expect((await boss.get("admin/datasets")).body.datasets.map(({ id }: { id: number }) => id)).toContain(dataset);

    const namesake = await server.user("gone");
    expect((await namesake.get(`dataset/${dataset}/data`)).status).toBe(404);
    expect((await namesake.get(`dataset/${shared}/data`)).status).toBe(404);
    expect((await boss.post(`admin/dataset/${dataset}/owner`, { username: "friend" })).status).toBe(200);
    expect((await friend.post(`dataset/${dataset}/share`, { users: ["gone"] })).status).toBe(200);
    expect((await boss.get("admin/datasets")).body.datasets.map(({ id }: { id: number }) => id)).not.toContain(dataset);
    expect((await boss.post(`admin/dataset/${dataset}/owner`, { username: "nobody" })).status).toBe(404);
    expect((await boss.post("admin/dataset/999999/owner", { username: "friend" })).status).toBe(404);
  });

  test("hands a deleted account's datasets to an heir, who is then no longer a member of them", async () => {
    const { db } = server;
    const leaver = await server.user("leaver");
    const heir = await server.user("heir");
    const open_ = await seedDataset(db, { ownerId: leaver.id, members: [heir.id] });
    const trashed = await seedDataset(db, { ownerId: leaver.id });
    await db.updateTable("datasets").set({ deleted_at: new Date() }).where("id", "=", trashed).execute();
    for (const wrong of ["nobody", "leaver", "anonymous", "LEAVER"])
      expect((await boss.delete(`admin/user/leaver?heir=${wrong}`)).status, wrong).toBe(400);
    expect((await leaver.get("user/")).status).toBe(200);
    expect((await boss.delete("admin/user/leaver?heir=HEIR")).status).toBe(200);
    const owned = await db.selectFrom("datasets").select("id").where("owner_id", "=", heir.id).execute();
    expect(owned.map(({ id }) => id)).toEqual([open_, trashed]);
    expect(await db.selectFrom("dataset_members").selectAll().where("dataset_id", "=", open_).execute()).toEqual([]);
  });

  test("renames a dataset of a deleted account if the heir uses its name, even in the trash", async () => {
    const { db } = server;
    const leaver = await server.user("double");
    const heir = await server.user("namesake");
    const create = async (user: TestUser, name: string): Promise<number> =>
      (await user.post("dataset/", { name })).body.id;
    await create(heir, "birds");
    await heir.delete(`dataset/${await create(heir, "Fish")}`);
    await create(heir, "Birds (double)");
    const long = "x".repeat(100);
    await create(heir, long);
    const ids: number[] = [];
    for (const name of ["Birds", "Fish", "Cows", long]) ids.push(await create(leaver, name));
    expect((await boss.delete("admin/user/double?heir=namesake")).status).toBe(200);
    const kept = await db
      .selectFrom("datasets")
      .select(["name", "owner_id"])
      .where("id", "in", ids)
      .orderBy("id")
      .execute();
    expect(kept).toEqual(
      ["Birds (double 2)", "Fish (double)", "Cows", `${"x".repeat(91)} (double)`].map((name) => ({
        name,
        owner_id: heir.id,
      })),
    );
  });

  test("hands no dataset over to a user who has another one of its name", async () => {
    const [giver, taker] = [await server.user("giver"), await server.user("taker")];
    const { id } = (await giver.post("dataset/", { name: "Harbour" })).body;
    const { id: same } = (await taker.post("dataset/", { name: "harbour" })).body;
    const give = () => boss.post(`admin/dataset/${id}/owner`, { username: "TAKER" });
    expect(await give()).toMatchObject({
      status: 409,
      body: { message: "taker already has a dataset with this name. Rename this dataset first." },
    });
    await taker.delete(`dataset/${same}`);
    expect((await give()).body.message).toBe(
      "taker already has a dataset with this name in the trash. Rename this dataset first.",
    );
    expect((await giver.get(`dataset/${id}`)).body.owner).toBe("giver");
    await boss.post(`dataset/${id}`, { name: "Quay" });
    expect((await give()).status).toBe(200);
    expect((await give()).status).toBe(200);
    expect((await taker.get(`dataset/${id}`)).body).toMatchObject({ name: "Quay", owner: "taker" });
  });

  test("changes and deletes no other account that has the name of the one that the admin saw", async () => {
    const make = async () =>
      (await boss.post("admin/user/", { username: "renewed", password: "secret" })).body.user.id as number;
    const seen = await make();
    expect((await boss.delete(`admin/user/renewed?id=${seen}`)).status).toBe(200);
    const id = await make();
    expect(
      (await boss.request("PATCH", "admin/user/renewed", { json: { id: seen, password: "other secret" } })).status,
    ).toBe(404);
    expect((await boss.delete(`admin/user/renewed?id=${seen}&datasets=0`)).status).toBe(404);
    expect((await login("renewed", "secret")).status).toBe(200);
    expect((await boss.request("PATCH", "admin/user/renewed", { json: { id, name: "New" } })).body).toMatchObject({
      id,
      name: "New",
    });
    expect((await boss.delete(`admin/user/renewed?id=${id}`)).status).toBe(200);
  });

  test("completes an interrupted deletion, and refuses its user until then", async () => {
    const { db } = server;
    const half = await server.user("half");
    const category = await seedCategory(db, half.id);
    const image = await seedImage(db, await seedDataset(db, { ownerId: boss.id }));
    const annotation = await seedAnnotation(db, image, category);
    await db.updateTable("annotations").set({ creator_id: half.id }).where("id", "=", annotation).execute();
    await db.updateTable("users").set({ closed_at: new Date() }).where("id", "=", half.id).execute();
    expect((await half.get("user/")).status).toBe(401);
    const { users } = (await boss.get("admin/users?limit=1000")).body;
    expect(users.map(({ username }: { username: string }) => username)).not.toContain("half");
    await clearClosedAccounts(db);
    expect(await db.selectFrom("users").select("id").where("id", "=", half.id).execute()).toEqual([]);
    const kept = await db.selectFrom("annotations").selectAll().where("id", "=", annotation).executeTakeFirstOrThrow();
    expect(kept.creator_id).toBeNull();
  });
});

describeOnDatabases("the last admin", (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await open());
  });
  afterAll(() => server.close());

  const admins = async () =>
    (await server.db.selectFrom("users").select("username").where("is_admin", "=", true).execute()).length;

  test("the last admin can neither be deleted nor lose the admin rights", async () => {
    const only = await server.user("only", { admin: true });
    expect(await only.delete("admin/user/only")).toMatchObject({
      status: 409,
      body: { message: "The last admin cannot be deleted." },
    });
    expect((await only.request("PATCH", "admin/user/only", { json: { isAdmin: false } })).status).toBe(409);
    expect(await admins()).toBe(1);
    const second = await server.user("second", { admin: true });
    expect((await only.delete("admin/user/only")).status).toBe(200);
    expect((await only.get("user/")).status).toBe(401);
    expect((await second.delete("admin/user/second")).status).toBe(409);
    await server.db.deleteFrom("users").execute();
  });

  test("an admin remains when admins delete each other, and themselves, all at once", async () => {
    for (let round = 0; round < 5; round++) {
      const names = ["a", "b", "c"].map((letter) => `${letter}${round}`);
      const adminClients = await Promise.all(names.map((name) => server.user(name, { admin: true })));
      const answers = await Promise.all(
        adminClients.flatMap((admin, i) => [
          admin.delete(`admin/user/${names[(i + 1) % 3]}`),
          admin.request("PATCH", `admin/user/${names[(i + 2) % 3]}`, { json: { isAdmin: false } }),
          admin.delete(`admin/user/${names[i]}`),
        ]),
      );
      expect(await admins()).toBe(1);
      for (const { status } of answers) expect([200, 401, 403, 404, 409]).toContain(status);
      await server.db.deleteFrom("users").execute();
    }
  });
});

describe("with login disabled", () => {
  test("administration stays closed", async () => {
    const database = await openEither();
    const server = await startServer(database, { env: { LOGIN_DISABLED: "true" } });
    expect((await server.visitor().get("admin/users")).status).toBe(403);
    expect((await server.visitor().delete("admin/user/anonymous")).status).toBe(403);
    await server.close();
    await database.close();
  });
});
