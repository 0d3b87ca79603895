import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../../server/base/errors";
import { backUp } from "../../../../server/db/backup/backup";
import { startBackups } from "../../../../server/db/backup/backups";
import { restore } from "../../../../server/db/backup/restore";
import { type Database, openDatabase } from "../../../../server/db/open/database";
import { transaction } from "../../../../server/db/transaction";
import { fillEveryTable, readAllTables } from "../../../support/allTables";
import {
  createServerDatabase,
  describeOnBothDatabases,
  describeOnServer,
  openEmbedded,
  type TestDatabase,
} from "../../../support/databases";
import { temporaryFolder } from "../../../support/folders";
import { folderWithoutTables } from "../../../support/installedFolder";

type Place = { DATA_DIR: string; DATABASE_URL: string | undefined };

describeOnBothDatabases("backup", (open, kind) => {
  let database: TestDatabase;
  let before: Record<string, string[]>;
  let path: string;
  const folder = temporaryFolder();
  const opened: Database[] = [];
  const reopen = async (place: Place) => {
    const again = await openDatabase(place);
    opened.push(again);
    return again;
  };
  beforeAll(async () => {
    database = await open();
    await fillEveryTable(database.db);
    before = await readAllTables(database.db);
    path = await backUp(database, folder);
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
  });

  it("includes every table", async () => {
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
  });

  it("writes a file readable by its owner alone, with no other file beside it", () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("restores everything on an empty machine", async () => {
    const place = { DATA_DIR: temporaryFolder(), DATABASE_URL: undefined };
    const { rows } = await restore(place, path, false);
    const again = await reopen(place);
    expect(await readAllTables(again.db)).toEqual(before);
    expect(rows).toBe(Object.values(before).flat().length - (before.sequences?.length ?? 0));
    const made = await again.db.insertInto("users").values({ username: "new" }).returning("id").executeTakeFirst();
    expect(made).toEqual({ id: 3 });
  });

  it("leaves no trace in the database", async () => {
    const { rows } = await sql`select 1 from pg_trigger where tgname = 'backup_note_change'
      union all select 1 from pg_class where relname = 'backup_changes'`.execute(database.db);
    expect(rows).toEqual([]);
  });

  it("restores over existing data only if forced, and then replaces either all of it or nothing", async () => {
    const place =
      kind === "embedded"
        ? { DATA_DIR: await folderWithoutTables(), DATABASE_URL: undefined }
        : { DATA_DIR: "", DATABASE_URL: await createServerDatabase("template0") };
    const own = await openDatabase(place);
    await own.db.insertInto("users").values({ username: "mine" }).execute();
    await sql`insert into quality_checks (dataset_id, images, annotations) values (1, 2, 3)`.execute(own.db);
    await own.close();
    await expect(restore(place, path, false)).rejects.toThrow(/is not empty/);
    const { kept } = await restore(place, path, true);
    const { db } = await reopen(place);
    expect(await readAllTables(db)).toEqual(before);
    expect((await sql`select * from quality_checks`.execute(db)).rows).toEqual([]);
    if (kind === "embedded") expect(readFileSync(join(kept ?? "", "PG_VERSION"), "utf8").trim()).toBe("18");
  });

  it("refuses a damaged backup as a whole", async () => {
    const text = gunzipSync(readFileSync(path)).toString();
    const lines = text.split("\n");
    const damaged: [string, Buffer][] = [
      ["cut", readFileSync(path).subarray(0, -100)],
      ["without its end", gzipSync(`${lines.slice(0, -2).join("\n")}\n`)],
      ["without a row", gzipSync(lines.toSpliced(5, 1).join("\n"))],
      ["no backup", gzipSync("hello\n")],
      ["no gzip", Buffer.from("hello\n")],
      ["of the future", gzipSync(text.replace(/"schema":"[^"]+"/, '"schema":"9999-future"'))],
    ];
    for (const [what, bytes] of damaged) {
      const file = join(folder, `${what}.gz`);
      writeFileSync(file, bytes);
      const place = { DATA_DIR: temporaryFolder(), DATABASE_URL: undefined };
      await expect(restore(place, file, false), what).rejects.toThrow(ConfigurationError);
      expect(readdirSync(place.DATA_DIR), what).toEqual([]);
    }
    await expect(restore({ DATA_DIR: folder, DATABASE_URL: undefined }, "/no/such/file", false)).rejects.toThrow(
      ConfigurationError,
    );
  });

  it("shows one moment of a database that is being written to", async () => {
    const own = await open();
    let ops = 0;
    let over = false;
    const rows = 400;
    await sql`insert into users (username, email) select 'user' || n, '-1' from generate_series(0, ${sql.lit(rows - 1)}) as n`.execute(
      own.db,
    );
    await sql`insert into datasets (name, folder, annotate_url) select 'set' || n, 'set' || n, '-1'
      from generate_series(0, ${sql.lit(rows - 1)}) as n`.execute(own.db);
    // Operation n writes its number to a user and a dataset, swaps two names, and replaces a membership, in one
    // transaction.
    const writer = async () => {
      while (!over) {
        const n = ops++;
        const [one, two] = [1 + ((n * 7) % rows), 1 + ((n * 7 + 199) % rows)];
        await transaction(own.db, async (trx) => {
          await trx
            .updateTable("users")
            .set({ email: String(n) })
            .where("id", "=", one)
            .execute();
          await trx
            .updateTable("datasets")
            .set({ annotate_url: String(n) })
            .where("id", "=", two)
            .execute();
          await sql`update users set username = username || '~' where id in (${one}, ${two})`.execute(trx);
          await sql`update users as a set username = rtrim(b.username, '~') from users as b
            where (a.id, b.id) in ((${one}::int, ${two}::int), (${two}::int, ${one}::int))`.execute(trx);
          await trx.deleteFrom("dataset_members").where("user_id", "=", one).execute();
          await trx.insertInto("dataset_members").values({ user_id: one, dataset_id: two }).execute();
        });
      }
    };
    const writing = writer();
    while (ops < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    const path = await backUp(own, folder);
    over = true;
    await writing;

    const place = { DATA_DIR: temporaryFolder(), DATABASE_URL: undefined };
    await restore(place, path, false);
    const { db } = await reopen(place);
    const users = await db.selectFrom("users").select(["id", "email", "username"]).orderBy("id").execute();
    const sets = await db.selectFrom("datasets").select(["id", "annotate_url"]).orderBy("id").execute();
    const members = await db.selectFrom("dataset_members").selectAll().orderBy("user_id").execute();
    const last = Math.max(...users.map((user) => Number(user.email)));
    expect(last).toBeGreaterThan(10);

    const names = Array.from({ length: rows }, (_, n) => `user${n}`);
    const emails = Array.from({ length: rows }, () => "-1");
    const urls = Array.from({ length: rows }, () => "-1");
    const member = new Map<number, number>();
    for (let n = 0; n <= last; n++) {
      const [one, two] = [1 + ((n * 7) % rows), 1 + ((n * 7 + 199) % rows)];
      emails[one - 1] = String(n);
      urls[two - 1] = String(n);
      [names[one - 1], names[two - 1]] = [names[two - 1] ?? "", names[one - 1] ?? ""];
      member.set(one, two);
    }
    expect(users.map((user) => user.email)).toEqual(emails);
    expect(users.map((user) => user.username)).toEqual(names);
    expect(sets.map((set) => set.annotate_url)).toEqual(urls);
    expect(members.map((row) => [row.user_id, row.dataset_id])).toEqual([...member].sort(([a], [b]) => a - b));
  });
});

describeOnServer("backup", (open) => {
  it("moves data from the embedded database to a server and back", async () => {
    const folder = temporaryFolder();
    const embedded = await openEmbedded();
    await fillEveryTable(embedded.db);
    const before = await readAllTables(embedded.db);
    const toServer = { DATA_DIR: "", DATABASE_URL: await createServerDatabase("template0") };
    await restore(toServer, await backUp(embedded, folder), false);
    await embedded.close();
    const server = await openDatabase(toServer);
    expect(await readAllTables(server.db)).toEqual(before);
    const back = { DATA_DIR: temporaryFolder(), DATABASE_URL: undefined };
    await restore(back, await backUp(server, folder), false);
    await server.close();
    const again = await openDatabase(back);
    expect(await readAllTables(again.db)).toEqual(before);
    await again.close();
  });

  it("is refused by a server with a different schema version", async () => {
    const own = await open();
    const path = await backUp(own, temporaryFolder());
    await sql`insert into kysely_migration values ('9999-future', '2999-01-01')`.execute(own.db);
    await expect(restore({ DATA_DIR: "", DATABASE_URL: own.url }, path, false)).rejects.toThrow(/without tables/);
  });
});

describe("backups of the embedded database", () => {
  it("backups are made at shutdown after changes and always on demand, and ten are kept", async () => {
    const database = await openEmbedded();
    const env = { DATA_DIR: temporaryFolder(), BACKUP_MINUTES: 60 };
    const list = () => readdirSync(join(env.DATA_DIR, "backups"));
    const first = startBackups(database, env);
    await first.now();
    await first.stop();
    expect(list()).toHaveLength(1);
    await database.db.insertInto("users").values({ username: "anna" }).execute();
    await first.stop();
    expect(list()).toHaveLength(2);
    const [one, two] = await Promise.all([first.now(), first.now()]);
    expect(one).toBe(two);
    for (let n = 0; n < 10; n++) await first.now();
    expect(list()).toHaveLength(10);
    await database.close();
  });

  it("backups are off with BACKUP_MINUTES=0, except those on demand", async () => {
    const database = await openEmbedded();
    const env = { DATA_DIR: temporaryFolder(), BACKUP_MINUTES: 0 };
    const backups = startBackups(database, env);
    await backups.stop();
    expect(readdirSync(env.DATA_DIR)).toEqual([]);
    await backups.now();
    expect(readdirSync(join(env.DATA_DIR, "backups"))).toHaveLength(1);
    await database.close();
  });
});
