import { createHash } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { hashPassword, isPassword, storedFromOriginal } from "../../../../server/features/passwords/hash";
import { describeOnBothDatabases } from "../../../support/databases";
import { startServer, type TestServer } from "../../../support/server";

/** Hashes of the password "secret", computed with hmac and hashlib of Python 3. */
const OF_SECRET = [
  "md5$x$460dee96f026bba02efb291c706b83dc",
  "sha1$$e5e9fa1ba31ecd1ae84f75caaa474f3a663f05f4",
  "pbkdf2:sha256:50000$Qw7$30ef647d376025409ba08e3a2ed7359d375f027817b8ff5dfee4ff5cd0abbc5b",
  "pbkdf2:sha512:1000$Qw7$d04c655e2c9e801977dedd2bc5dd3b335e828ba07e1f3aaf53ae91e387e041d931519edf658b9a3ad8a397f6cd6fdc0c57a540e992204a12d06cda63fd5ce9f0",
  "scrypt:32768:8:1$Qw7$8ad3e06bb7aa8a8b4aaa13627c81eef95f2b9c751bbc4f281de9068c57a5e9da538ffbfbdf3a67c0969587fbc6c5893ae7c4c9b0e872017ff5c905c37dfb987e",
];
const OF_UMLAUT = "sha256$aB3$3211aa25e87f941a97074bc5556131fa49cf772aab7afed60eec02a7ab21465b";

it.each(OF_SECRET)("verifies the password of %s, and no other", async (given) => {
  const stored = await storedFromOriginal(given);
  expect(stored).toMatch(/^werkzeug:/);
  expect(stored).not.toContain(given.split("$")[2]);
  expect(await isPassword(stored, "secret")).toBe(true);
  expect(await isPassword(stored, "Secret")).toBe(false);
  expect(await isPassword(stored, given)).toBe(false);
});

it("hashes characters outside ASCII as UTF-8", async () => {
  expect(await isPassword(await storedFromOriginal(OF_UMLAUT), "pass word")).toBe(false);
  expect(await isPassword(await storedFromOriginal(OF_UMLAUT), "päss word")).toBe(true);
});

it("hashes a password that was kept in plain text at once", async () => {
  const stored = await storedFromOriginal("plain$$se$cret");
  expect(stored).toMatch(/^\$argon2id\$/);
  expect(await isPassword(stored, "se$cret")).toBe(true);
});

it.each([
  "",
  "secret",
  "sha256$abc",
  "unknown$abc$00",
  "pbkdf2:sha256$abc$00",
  "pbkdf2:sha256:99999999999$abc$00",
  "scrypt:1048576:800:1$abc$00",
  "scrypt:7:8:1$abc$00",
  "sha256$abc$not hexadecimal",
  "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA",
])("refuses %j, which it cannot verify", async (given) => {
  expect(await storedFromOriginal(given)).toBeUndefined();
});

describeOnBothDatabases("the first login of a migrated account", (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await open());
    return () => server.close();
  });
  const hashOf = async (username: string) => {
    const query = server.db.selectFrom("users").select("password_hash").where("username", "=", username);
    return (await query.executeTakeFirstOrThrow()).password_hash;
  };
  const addUser = async (username: string, given: string) => {
    const password_hash = (await storedFromOriginal(given)) ?? null;
    await server.db.insertInto("users").values({ username, password_hash }).execute();
  };

  it("replaces the old hash, and a wrong password does not", async () => {
    await addUser("olivia", OF_UMLAUT);
    const before = await hashOf("olivia");
    const visitor = server.visitor();
    expect((await visitor.post("user/login", { username: "olivia", password: "pass word" })).status).toBe(400);
    expect(await hashOf("olivia")).toBe(before);
    expect((await visitor.post("user/login", { username: "Olivia", password: "päss word" })).status).toBe(200);
    expect((await visitor.get("user/")).body.user.username).toBe("olivia");
    const after = await hashOf("olivia");
    expect(after).toMatch(/^\$argon2id\$/);
    expect((await server.visitor().post("user/login", { username: "olivia", password: "päss word" })).status).toBe(200);
    expect(await hashOf("olivia")).toBe(after);
  });

  it("works for several logins at once, and for HTTP Basic", async () => {
    await addUser("paul", OF_SECRET[2] ?? "");
    const basic = { Authorization: `Basic ${Buffer.from("paul:secret").toString("base64")}` };
    const answers = await Promise.all([
      server.visitor().post("user/login", { username: "paul", password: "secret" }),
      server.visitor().post("user/login", { username: "paul", password: "secret" }),
      server.visitor().get("user/", { headers: basic }),
      server.visitor().get("user/", { headers: basic }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await hashOf("paul")).toMatch(/^\$argon2id\$/);
    expect((await server.visitor().get("user/", { headers: basic })).status).toBe(200);
  });

  it("an administrator's new password replaces a hash that cannot be verified", async () => {
    await addUser("quinn", `blowfish$x$${createHash("md5").update("x").digest("hex")}`);
    expect(await hashOf("quinn")).toBeNull();
    expect((await server.visitor().post("user/login", { username: "quinn", password: "secret" })).status).toBe(400);
    const password_hash = await hashPassword("a new one");
    await server.db.updateTable("users").set({ password_hash }).where("username", "=", "quinn").execute();
    expect((await server.visitor().post("user/login", { username: "quinn", password: "a new one" })).status).toBe(200);
  });
});
