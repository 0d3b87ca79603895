import type { Insertable } from "kysely";
import { text } from "../../../../shared/entities/scalars";
import type { Schema } from "../../../db/schema";
import { withAccountsLock } from "../../accounts/withAccountsLock";
import { storedFromOriginal } from "../../passwords/hash";
import { batchesOf, type Entry } from "../dump/batches";
import { dateOf, flagOf, textOf } from "../dump/values";
import { lineOf, metadataOf } from "../map/fields";
import { usernameFor } from "../map/names";
import type { Migration } from "./context";
import { allKnownRows, rememberRows } from "./ids";

const MAX_NAME = 100;

type NewUser = Insertable<Schema["users"]> & { username: string };

/**
 * Migrates the accounts. An account that exists in Limn under the same name, ignoring case, stays as it is and stands
 * for the old one. A name that Limn refuses, or that differs from another old one in case only, becomes a similar one.
 */
export async function storeUsers(migration: Migration): Promise<void> {
  const { db, source, users, options, dump } = migration;
  const report = migration.report.of("user_model");
  const known = await allKnownRows(db, source, "user_model");
  const existing = await db.selectFrom("users").select(["id", "username", "closed_at"]).execute();
  const byId = new Map(existing.map((user) => [user.id, user]));
  const byName = new Map(existing.map((user) => [user.username.toLowerCase(), user]));
  const taken = new Set(byName.keys());
  const used = new Set([...known.values()].map(({ id }) => id));
  let hasAdmin = (await db.selectFrom("users").select("id").where("is_admin", "=", true).limit(1).execute()).length > 0;

  for await (const batch of batchesOf(dump, "user_model", report)) {
    for (const { key, doc } of batch) {
      const old = textOf(doc.username)?.slice(0, 200) || `user ${key}`;
      const stored = known.get(key);
      if (stored) {
        report.known++;
        const user = byId.get(stored.id);
        if (user && !user.closed_at) users.add(old, user);
        continue;
      }
      const same = byName.get(old.toLowerCase());
      if (same && !same.closed_at && !used.has(same.id)) {
        report.linked++;
        report.note(old, "is the name of an account in Limn, which stays as it is and now has the old one's datasets");
        used.add(same.id);
        users.add(old, same);
        known.set(key, { id: same.id, details: {} });
        if (!options.isDryRun) await rememberRows(db, source, "user_model", [{ key, id: same.id }]);
        continue;
      }
      const username = usernameFor(old, (name) => taken.has(name));
      if (username !== old) report.note(old, `has a name that Limn cannot use, and becomes ${username}`);
      taken.add(username.toLowerCase());
      const row = await rowOf(migration, { key, doc }, username, old);
      if (row.is_admin) hasAdmin = true;
      const id = options.isDryRun ? -taken.size : await insert(migration, key, row);
      used.add(id);
      known.set(key, { id, details: {} });
      users.add(old, { id, username });
      report.created++;
    }
    migration.progress(report);
  }
  if (report.read > 0 && !hasAdmin) report.note("All accounts", "are without the rights of an administrator");
}

async function rowOf({ report }: Migration, { key, doc }: Entry, username: string, old: string): Promise<NewUser> {
  const note = (what: string) => report.of("user_model").note(old, what);
  const password = textOf(doc.password);
  const password_hash = password ? await storedFromOriginal(password) : undefined;
  if (!password_hash) note("has a password that cannot be carried over: an administrator must set a new one");
  const name = lineOf(doc.name, MAX_NAME);
  const email = text(MAX_NAME).safeParse(lineOf(doc.email, MAX_NAME));
  const made = /^[0-9a-f]{24}$/.test(key) ? dateOf(Number.parseInt(key.slice(0, 8), 16) * 1000) : undefined;
  return {
    username,
    name: name || (username === old ? "" : lineOf(old, MAX_NAME)),
    email: email.data ?? "",
    password_hash: password_hash ?? null,
    is_admin: flagOf(doc.is_admin),
    preferences: JSON.stringify(
      metadataOf(doc.preferences, () => note("has preferences that cannot be stored as a whole")),
    ),
    last_seen: dateOf(doc.last_seen) ?? null,
    ...(made && made < new Date() && { created_at: made }),
  };
}

/** Inserts an account and records it. Returns its id. */
function insert({ db, source }: Migration, key: string, row: NewUser): Promise<number> {
  return withAccountsLock(db, async (trx) => {
    const { id } = await trx.insertInto("users").values(row).returning("id").executeTakeFirstOrThrow();
    await rememberRows(trx, source, "user_model", [{ key, id }]);
    return id;
  });
}
