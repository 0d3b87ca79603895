import { hash } from "@node-rs/argon2";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnDatabases, describeOnServer } from "../../../support/databases";
import { startLiveServer } from "../../../support/liveServer";
import { startServer, type TestServer } from "../../../support/server";
import { TestClient, type TestResponse } from "../../../support/testClient";

const withPassword = (username: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
});
const from = (address: string) => ({ "X-Forwarded-For": address });
const statuses = (answers: TestResponse[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const times = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

describeOnDatabases("limits of passwords", (open) => {
  let server: TestServer;
  let passwordHash: string;
  let cheapHash: string;
  beforeAll(async () => {
    passwordHash = await hash("secret", { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    cheapHash = await hash("secret", { memoryCost: 64, timeCost: 1, parallelism: 1 });
    server = await startServer(await open(), { env: { TRUST_PROXY: "true" } });
    await server.user("first", { admin: true });
  });
  afterAll(() => server.close());

  const insertAccounts = (usernames: string[], password_hash: string) =>
    server.db
      .insertInto("users")
      .values(usernames.map((username) => ({ username, password_hash })))
      .execute();
  /**
   * Creates accounts with the password "secret" that have never signed in. Their hashes are cheap, because the limits
   * count passwords and do not depend on the time that each takes.
   */
  const accounts = (...names: string[]) => insertAccounts(names, cheapHash);
  /** Creates accounts like `accounts`, whose hashes cost as much as those of real accounts. */
  const costlyAccounts = (...names: string[]) => insertAccounts(names, passwordHash);
  const login = (username: string, password: string, address: string) =>
    server.visitor().post("user/login", { username, password }, { headers: from(address) });
  const basic = (username: string, password: string, address: string) =>
    server.visitor().get("user/", { headers: { ...withPassword(username, password), ...from(address) } });
  /** Ages the counts by this number of seconds. A negative number makes them younger, like a clock that is set back. */
  const pass = (seconds: number) =>
    sql`update attempts set counted_at = counted_at - make_interval(secs => ${seconds})`.execute(server.db);

  test("successful logins of the owner's script do not help guesses from elsewhere", async () => {
    await accounts("victim");
    expect((await basic("victim", "secret", "10.1.0.1")).status).toBe(200);
    const guesses = await times(30, (i) => basic("victim", `guess ${i}`, "10.1.0.2"));
    expect(statuses(guesses)).toEqual({ 401: 10, 429: 20 });
    expect((await basic("victim", "secret", "10.1.0.2")).status).toBe(429);
    expect((await login("victim", "secret", "10.1.0.2")).status).toBe(429);
    expect((await basic("victim", "secret", "10.1.0.1")).status).toBe(200);
    expect((await login("victim", "secret", "10.1.0.1")).status).toBe(200);
  });

  test("a user at the usual address does not wait for logins from two hundred other addresses", async () => {
    await costlyAccounts("usual");
    expect((await login("usual", "secret", "10.9.0.1")).status).toBe(200);
    let answered = 0;
    const flood = times(200, (i) => login(`nobody${i}`, "wrong", `10.9.1.${i}`).finally(() => answered++));
    expect((await login("usual", "secret", "10.9.0.1")).status).toBe(200);
    expect(answered).toBeLessThan(100);
    expect(statuses(await flood)).toEqual({ 400: 200 });
  });

  test("a hundred users with correct passwords sign in at once from one address", async () => {
    const names = Array.from({ length: 100 }, (_, i) => `office${i}`);
    await costlyAccounts(...names);
    expect(statuses(await times(100, (i) => login(`office${i}`, "secret", "10.2.0.1")))).toEqual({ 200: 100 });
  });

  test("thirty-five failures of others at the same address block no correct login", async () => {
    const colleagues = Array.from({ length: 35 }, (_, i) => `colleague${i}`);
    await accounts("newcomer", ...colleagues);
    await times(35, (i) => login(`colleague${i}`, "wrong", "10.3.0.1"));
    expect((await login("newcomer", "secret", "10.3.0.1")).status).toBe(200);
  });

  test("an address that tries one password on many names is blocked, except for users who signed in there before", async () => {
    await accounts("regular", "unseen", ...Array.from({ length: 130 }, (_, i) => `name${i}`));
    expect((await login("regular", "secret", "10.4.0.1")).status).toBe(200);
    const tries = await times(130, (i) => login(`name${i}`, "password1", "10.4.0.1"));
    expect(statuses(tries)[429] ?? 0).toBeGreaterThanOrEqual(15);
    const refused = await login("unseen", "secret", "10.4.0.1");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await login("regular", "secret", "10.4.0.1")).status).toBe(200);
    expect((await login("unseen", "secret", "10.4.0.2")).status).toBe(200);
  });

  test("each failure after the tenth doubles the wait, up to a quarter of an hour, and a correct password ends it", async () => {
    await accounts("slow");
    await times(10, (i) => login("slow", `wrong ${i}`, "10.5.0.1"));
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      const { status, headers, body } = await login("slow", "secret", "10.5.0.1");
      expect(status).toBe(429);
      expect(body.message).toMatch(/^Too many failed logins\. Please wait \d+ (second|minute)s\.$/);
      const wait = Number(headers.get("retry-after"));
      waits.push(wait);
      await pass(wait + 1);
      expect((await login("slow", "still wrong", "10.5.0.1")).status).toBe(400);
    }
    expect(waits[0]).toBeGreaterThan(55);
    expect(waits[0]).toBeLessThanOrEqual(60);
    expect(waits[2]).toBeGreaterThan(200);
    expect(Math.max(...waits)).toBeLessThanOrEqual(900);
    await pass(901);
    expect((await login("slow", "secret", "10.5.0.1")).status).toBe(200);
    expect((await login("slow", "wrong once", "10.5.0.1")).status).toBe(400);
    expect((await login("slow", "secret", "10.5.0.1")).status).toBe(200);
  });

  test("guesses from many addresses on one name are limited, without limiting the owner's own address and session", async () => {
    await accounts("famous");
    const owner = server.visitor();
    const credentials = { username: "famous", password: "secret" };
    expect((await owner.post("user/login", credentials, { headers: from("10.6.0.1") })).status).toBe(200);
    const guesses = await times(80, (i) => login("famous", `guess ${i}`, `10.6.1.${i}`));
    expect(statuses(guesses)[429] ?? 0).toBeGreaterThanOrEqual(25);
    expect((await login("famous", "secret", "10.6.2.1")).status).toBe(429);
    expect((await login("famous", "secret", "10.6.0.1")).status).toBe(200);
    const change = { password: "secret", new_password: "better secret" };
    expect((await owner.post("user/password", change, { headers: from("10.6.2.2") })).status).toBe(200);
    expect((await login("famous", "better secret", "10.6.2.2")).status).toBe(200);
  });

  test("an unknown name is counted and blocked like a known one", async () => {
    await accounts("there");
    const tried = async (name: string) => statuses(await times(14, (i) => login(name, `x ${i}`, "10.7.0.1")));
    expect(await tried("there")).toEqual({ 400: 10, 429: 4 });
    expect(await tried("not.there")).toEqual({ 400: 10, 429: 4 });
  });

  test("a stolen session cannot guess the password for a change any faster", async () => {
    await accounts("robbed");
    const thief = server.visitor();
    await thief.post("user/login", { username: "robbed", password: "secret" }, { headers: from("10.8.0.1") });
    const tries = await times(25, (i) =>
      thief.copy().post("user/password", { password: `x ${i}`, new_password: "theirs" }, { headers: from("10.8.0.2") }),
    );
    expect(statuses(tries)).toEqual({ 400: 10, 429: 15 });
  });

  test("the addresses of one IPv6 network count as one", async () => {
    await accounts("six");
    await times(10, (i) => login("six", `x ${i}`, `2001:db8:1:1::${i + 1}`));
    expect((await login("six", "secret", "2001:db8:1:1:ffff::1")).status).toBe(429);
    expect((await login("six", "secret", "2001:db8:1:2::1")).status).toBe(200);
  });

  test("a changed clock blocks no user for longer", async () => {
    await accounts("clock");
    const close = () => times(12, (i) => login("clock", `wrong ${i}`, "10.9.0.1"));
    await close();
    expect((await login("clock", "secret", "10.9.0.1")).status).toBe(429);
    // An hour back: the counts are now an hour in the future.
    await pass(-3600);
    expect((await login("clock", "secret", "10.9.0.1")).status).toBe(200);
    await close();
    await pass(-20);
    expect((await login("clock", "wrong again", "10.9.0.1")).status).toBe(400);
    const { headers } = await login("clock", "secret", "10.9.0.1");
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(900);
    await pass(3600);
    expect((await login("clock", "secret", "10.9.0.1")).status).toBe(200);
  });

  test("a hundred registrations at once from one address are limited, and leave room for a class of thirty", async () => {
    const register = (name: string, address: string) =>
      server.visitor().post("user/register", { username: name, password: "secret" }, { headers: from(address) });
    expect(statuses(await times(30, (i) => register(`pupil${i}`, "10.10.0.1")))).toEqual({ 200: 30 });
    const flood = await times(100, (i) => register(`bot${i}`, "10.10.0.2"));
    const made = statuses(flood)[200] ?? 0;
    // Others are refused because too many wait for their passwords to be hashed: more on a busy machine.
    expect(made).toBeGreaterThanOrEqual(30);
    expect(made).toBeLessThan(50);
    const refused = flood.find(({ status }) => status === 429);
    expect(refused?.body.message).toContain("Too many accounts were registered from your network");
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await register("neighbour", "10.10.0.3")).status).toBe(200);
    const admin = await server.user("chief", { admin: true });
    for (let i = 0; i < 3; i++) {
      const staff = { username: `staff${i}`, password: "secret" };
      expect((await admin.post("admin/user/", staff, { headers: from("10.10.0.2") })).status).toBe(200);
    }
    await pass(61);
    expect((await register("patient", "10.10.0.2")).status).toBe(200);
  });

  test("expired counts and addresses of former passwords are not kept", async () => {
    await accounts("moved");
    await login("moved", "secret", "10.11.0.1");
    const { id } = await server.db
      .selectFrom("users")
      .select("id")
      .where("username", "=", "moved")
      .executeTakeFirstOrThrow();
    const known = () => server.db.selectFrom("known_addresses").selectAll().where("user_id", "=", id).execute();
    expect(await known()).toHaveLength(1);
    const admin = await server.user("resetter", { admin: true });
    expect((await admin.request("PATCH", "admin/user/moved", { json: { password: "another" } })).status).toBe(200);
    expect(await known()).toHaveLength(0);
  });
});

describeOnDatabases("the first account", (open) => {
  test("the first account is created under any concurrent load, and the rest of a flood meets the limit", async () => {
    const server = await startServer(await open());
    const flood = await times(60, (i) =>
      server.visitor().post("user/register", { username: `flood${i}`, password: "secret" }),
    );
    const { total } = await server.db
      .selectFrom("users")
      .select((eb) => eb.fn.countAll<string>().as("total"))
      .executeTakeFirstOrThrow();
    expect(Number(total)).toBeGreaterThanOrEqual(41);
    expect(Number(total)).toBeLessThan(50);
    expect(flood.filter(({ body }) => body.user?.is_admin)).toHaveLength(1);
    await server.close();
  });
});

describeOnServer("limits of passwords between processes", (open) => {
  test("failures at one process block the name at the other", async () => {
    const { url: DATABASE_URL } = await open();
    const env = { DATABASE_URL: DATABASE_URL ?? "" };
    const one = await startLiveServer(env);
    const other = await startLiveServer({ ...env, DATA_DIR: one.dataDir });
    const account = { username: "shared", password: "secret" };
    await new TestClient(one.url).post("user/register", account);
    for (let i = 0; i < 10; i++)
      await new TestClient(one.url).post("user/login", { ...account, password: `wrong ${i}` });
    expect((await new TestClient(other.url).post("user/login", account)).status).toBe(429);
    await Promise.all([one.remove(), other.remove()]);
  });
});
