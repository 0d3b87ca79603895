import { hash } from "@node-rs/argon2";
import { cookieName } from "../../../server/features/access/identity";
import { endSession, sessionIdOf, startSession } from "../../../server/features/access/sessions";
import { createToken, revokeToken } from "../../../server/features/access/tokens";
import type { TestServer } from "../../support/server";
import { TestClient } from "../../support/testClient";
import type { Role, TestUsers } from "../rights/fixture";

/** A caller with one way to authenticate, valid or not. The server trusts its proxy. */
export interface Caller {
  name: string;
  /** Role whose rights the caller has. */
  role: Role;
  client: TestClient;
}

export const WITH_PASSWORD = ["stranger", "viewer", "annotator", "owner", "admin"] as const;
const PASSWORD = "correct horse";

/** Sets a cheaply hashed password. Users of `people` are created without one. */
export async function setPasswords({ db }: TestServer, users: TestUsers): Promise<void> {
  const password_hash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  for (const role of WITH_PASSWORD)
    await db.updateTable("users").set({ password_hash }).where("id", "=", idOf(users, role)).execute();
}

export const idOf = ({ cast }: TestUsers, role: Role): number => (cast[role] as TestClient & { id: number }).id;

const basic = (username: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
});
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

let requests = 0;
/** Each call with a password comes from a new address, so that no limit applies. */
const newAddress = () => ({ "X-Forwarded-For": `10.${++requests >> 16}.${(requests >> 8) & 255}.${requests & 255}` });

/**
 * Returns callers with valid credentials: each role by session, token and password. Sessions and tokens are created
 * again, because attempts end them.
 */
export async function validCallers(server: TestServer, users: TestUsers): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const role of WITH_PASSWORD) {
    const { username } = users.cast[role] as TestClient & { username: string };
    const id = idOf(users, role);
    const { secret } = await createToken(server.db, id, { name: "owner-only" });
    const session = users.cast[role].copy();
    session.cookies.set(cookieName(server.env), await startSession(server.db, id));
    callers.push(
      { name: `${role} by session`, role, client: session },
      { name: `${role} by token`, role, client: clientWith(server, bearer(secret)) },
      { name: `${role} by password`, role, client: clientWith(server, basic(username, PASSWORD)) },
    );
  }
  for (const { client } of callers) Object.assign(client.headers, newAddress());
  return callers;
}

/** Returns callers with invalid credentials, which have the rights of a visitor. */
export async function invalidCallers(server: TestServer, users: TestUsers): Promise<Caller[]> {
  const { db } = server;
  const owner = idOf(users, "owner");
  const ended = await startSession(db, owner);
  await endSession(db, sessionIdOf(ended));
  const open = await startSession(db, owner);
  const revoked = await createToken(db, owner, { name: "owner-only" });
  await revokeToken(db, owner, revoked.token.id);
  const expired = await createToken(db, owner, { name: "owner-only" });
  await db
    .updateTable("api_tokens")
    .set({ expires_at: new Date(Date.now() - 60_000) })
    .where("id", "=", expired.token.id)
    .execute();
  const { secret } = await createToken(db, owner, { name: "owner-only" });
  const cookie = (value: string) => ({ Cookie: `${cookieName(server.env)}=${value}` });
  const ways: Record<string, Record<string, string>> = {
    "without anything": {},
    "with a made-up cookie": cookie("a".repeat(43)),
    "with the cookie of an ended session": cookie(ended),
    "with a session's stored id as cookie": cookie(sessionIdOf(open)),
    "with a made-up token": bearer(`limn_${"a".repeat(43)}`),
    "with a revoked token": bearer(revoked.secret),
    "with an expired token": bearer(expired.secret),
    "with a token whose last letter is another": bearer(secret.slice(0, -1) + (secret.endsWith("A") ? "B" : "A")),
    "with two tokens": bearer(`${secret} ${secret}`),
    "with a token by the scheme for passwords": { Authorization: `Basic ${secret}` },
    "with a wrong password": basic("owner", "wrong"),
    "with an unknown name": basic("nobody", PASSWORD),
    "without a colon": { Authorization: `Basic ${Buffer.from("owner").toString("base64")}` },
    "with an unknown scheme": { Authorization: "Digest username=owner" },
    "with an empty header beside an open session": { Authorization: "", ...cookie(open) },
    "with a broken header beside an open session": { Authorization: "Bearer", ...cookie(open) },
  };
  return Object.entries(ways).map(([name, headers]) => ({
    name: `nobody ${name}`,
    role: "visitor",
    client: clientWith(server, { ...headers, ...newAddress() }),
  }));
}

function clientWith({ url }: TestServer, headers: Record<string, string>): TestClient {
  const client = new TestClient(url);
  // The header of Limn's pages, so that refusals are caused by the credentials.
  client.headers = { ...client.headers, ...headers };
  return client;
}
