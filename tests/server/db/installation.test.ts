import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backUp } from "../../../server/db/backup/backup";
import { restore } from "../../../server/db/backup/restore";
import { readInstallation, renewInstallation } from "../../../server/db/installation";
import { currentVersion, migrate } from "../../../server/db/migrate";
import { type Database, openDatabase, openServerWithoutTimeouts } from "../../../server/db/open/database";
import { createServerDatabase, describeOnBothDatabases, describeOnServer } from "../../support/databases";
import { temporaryFolder } from "../../support/folders";
import { folderWithoutTables } from "../../support/installedFolder";
import { postgresFolder } from "../../support/postgres";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const idOf = async (database: Pick<Database, "db">) => (await readInstallation(database.db)).id;

type Place = { DATA_DIR: string; DATABASE_URL: string | undefined };

describeOnBothDatabases("the installation id", (_, kind) => {
  const newPlace = async (): Promise<Place> =>
    kind === "embedded"
      ? { DATA_DIR: await folderWithoutTables(), DATABASE_URL: undefined }
      : { DATA_DIR: "", DATABASE_URL: await createServerDatabase("template0") };
  const opened: Database[] = [];
  const open = async (place: Place) => {
    const database = await openDatabase(place);
    opened.push(database);
    return database;
  };
  afterAll(async () => {
    for (const database of opened) await database.close();
  });

  it("the id differs in each new database, and survives a restart", async () => {
    const place = await newPlace();
    const first = await openDatabase(place);
    const made = await readInstallation(first.db);
    expect(made).toEqual({ id: expect.stringMatching(UUID), origin: "new" });
    await first.close();
    expect(await readInstallation((await open(place)).db)).toEqual(made);
    expect(await idOf(await open(await newPlace()))).not.toBe(made.id);
  });

  it("a restore renews the id, both in an empty database and over the backup's own database", async () => {
    const place = await newPlace();
    const before = await openDatabase(place);
    await before.db.insertInto("users").values({ username: "ann" }).execute();
    const id = await idOf(before);
    const file = await backUp(before, temporaryFolder());
    await before.close();
    await restore(place, file, true);
    const restored = await readInstallation((await open(place)).db);
    expect(restored).toEqual({ id: expect.stringMatching(UUID), origin: "restored" });
    expect(restored.id).not.toBe(id);
    const other = kind === "embedded" ? { ...place, DATA_DIR: temporaryFolder() } : await newPlace();
    await restore(other, file, false);
    const elsewhere = await readInstallation((await open(other)).db);
    expect(elsewhere.origin).toBe("restored");
    expect([id, restored.id]).not.toContain(elsewhere.id);
  });

  it("a row that a database dump brings back renews the id", async () => {
    const database = await open(await newPlace());
    const { rows } = await sql<{ text: string }>`select row_to_json(i)::text as text from installation i`.execute(
      database.db,
    );
    const id = await idOf(database);
    await sql`truncate installation`.execute(database.db);
    await sql`insert into installation select * from json_populate_record(null::installation, ${rows[0]?.text}::json)`.execute(
      database.db,
    );
    const renewed = await readInstallation(database.db);
    expect(renewed.origin).toBe("restored");
    expect(renewed.id).not.toBe(id);
    expect(await readInstallation(database.db)).toEqual(renewed);
    await sql`truncate installation`.execute(database.db);
    expect(await idOf(database)).not.toBe(renewed.id);
  });

  it("many processes that find the id stale at the same moment renew it once", async () => {
    const database = await open(await newPlace());
    await sql`update installation set stamp = 'of another database'`.execute(database.db);
    const ids = await Promise.all(Array.from({ length: 8 }, () => idOf(database)));
    expect(new Set(ids).size).toBe(1);
  });
});

describeOnServer("the installation id of a database", () => {
  it("a database from before ids gets an id and the origin `updated`", async () => {
    const url = await createServerDatabase("template0");
    const old = await openServerWithoutTimeouts(url);
    await migrate(old.db, "0014-task-followers");
    expect(await currentVersion(old.db)).toBe("0014-task-followers");
    await sql`insert into users (username) values ('ann')`.execute(old.db);
    await old.close();
    const updated = await openDatabase({ DATABASE_URL: url, DATA_DIR: "" });
    expect(await readInstallation(updated.db)).toMatchObject({ origin: "updated" });
    await updated.close();
  });

  it("the id is renewed only after the batches admitted under the old one, and later ones wait", async () => {
    const database = await openDatabase({ DATABASE_URL: await createServerDatabase("template0"), DATA_DIR: "" });
    const { db } = database;
    const before = await idOf(database);
    const order: string[] = [];
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isIn = () => {};
    const entered = new Promise<void>((resolve) => {
      isIn = resolve;
    });
    const batch = db.transaction().execute(async (trx) => {
      expect(await idOf({ db: trx })).toBe(before);
      isIn();
      await held;
      order.push("stored");
    });
    await entered;
    const renewal = db.transaction().execute(async (trx) => {
      await renewInstallation(trx);
      order.push("renewed");
    });
    const waits = async () => {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db);
      return rows.length;
    };
    await expect.poll(waits).toBeGreaterThan(0);
    const late = idOf(database);
    letGo();
    await Promise.all([batch, renewal]);
    expect(order).toEqual(["stored", "renewed"]);
    expect(await late).not.toBe(before);
    await database.close();
  });
});

const bin = postgresFolder() ?? "";
const hasTools = existsSync(join(bin, "pg_dump")) && existsSync(join(bin, "psql"));
describe.skipIf(!hasTools)("PostgreSQL's own tools", () => {
  let url: string;
  let id: string;
  beforeAll(async () => {
    url = await createServerDatabase("template0");
    const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "" });
    id = await idOf(database);
    await database.close();
  });
  const idAt = async (address: string) => {
    const database = await openDatabase({ DATABASE_URL: address, DATA_DIR: "" });
    return idOf(database).finally(() => database.close());
  };

  it("renew the id when they restore a dump, into another database or over the same one", async () => {
    const dump = execFileSync(join(bin, "pg_dump"), ["--clean", "--if-exists", url]);
    const other = await createServerDatabase("template0");
    for (const target of [other, url]) execFileSync(join(bin, "psql"), ["-q", target], { input: dump, stdio: "pipe" });
    const ids = [await idAt(other), await idAt(url)];
    expect(ids).not.toContain(id);
    expect(ids[0]).not.toBe(ids[1]);
  });
});
