import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../server/base/errors";
import { backUp } from "../../../server/db/backup/backup";
import { restore } from "../../../server/db/backup/restore";
import { backupFolder } from "../../../server/db/backupFiles/backupFolder";
import { openDatabase } from "../../../server/db/open/database";
import { temporaryFolder } from "../../support/folders";
import { copyInstallation } from "../../support/liveServer";
import { startProgram } from "../../support/processes";

describe("an embedded database that does not open", () => {
  const whole = temporaryFolder();
  const place = (DATA_DIR: string) => ({ DATA_DIR, DATABASE_URL: undefined });
  let good = "";
  let usersFile = "";

  beforeAll(async () => {
    await copyInstallation(whole);
    const database = await openDatabase(place(whole));
    await database.db.insertInto("users").values({ username: "anna" }).execute();
    await backUp(database, backupFolder(whole));
    const newest = await backUp(database, backupFolder(whole));
    const { rows } = await sql<{ path: string }>`select pg_relation_filepath('users') as path`.execute(database.db);
    usersFile = rows[0]?.path ?? "";
    await database.close();
    truncateSync(newest, 100);
    good = readdirSync(backupFolder(whole)).sort()[0] ?? "";
  });

  const damaged = (damage: (db: string) => void) => {
    const folder = join(temporaryFolder(), "data");
    mkdirSync(folder);
    for (const name of ["db", "backups"]) cpSync(join(whole, name), join(folder, name), { recursive: true });
    damage(join(folder, "db"));
    return folder;
  };
  const refusal = (folder: string) =>
    openDatabase(place(folder)).then(
      () => expect.fail("opened"),
      (error: unknown) => error,
    );

  it("reports the damage in one line with the newest complete backup, which repairs it", async () => {
    const folder = damaged((db) => truncateSync(join(db, "global/pg_control"), 0));
    const error = await refusal(folder);
    expect(error).toBeInstanceOf(ConfigurationError);
    const path = join(folder, "backups", good);
    expect((error as Error).message).toMatch(
      /^The database in .* is damaged \(.*\)\. Restore the newest complete backup/,
    );
    expect((error as Error).message).toContain(`npm run restore -- ${path} --force`);
    expect((error as Error).message).not.toContain("\n");

    const doctor = startProgram("server/cli/doctor.ts", [], { DATA_DIR: folder, DATABASE_URL: "" });
    expect(await doctor.ended).toBe(1);
    expect(doctor.lines).toEqual([(error as Error).message]);

    await restore(place(folder), path, true);
    const database = await openDatabase(place(folder));
    expect(await database.db.selectFrom("users").select("username").execute()).toEqual([{ username: "anna" }]);
    await database.close();
  });

  it("reports that there is no complete backup", async () => {
    const folder = damaged((db) => rmSync(join(db, "pg_wal"), { recursive: true }));
    rmSync(join(folder, "backups"), { recursive: true });
    expect(await refusal(folder)).toHaveProperty(
      "message",
      expect.stringMatching(/There is no complete backup in .*backups/),
    );
  });

  it("doctor finds the damage if only the pages of one table are damaged", async () => {
    const folder = damaged((db) => {
      const file = join(db, usersFile);
      writeFileSync(file, Buffer.alloc(readFileSync(file).length, 0xaa));
    });
    const doctor = startProgram("server/cli/doctor.ts", [], { DATA_DIR: folder, DATABASE_URL: "" });
    expect(await doctor.ended).toBe(1);
    expect(doctor.lines.at(-1)).toMatch(/^The database in .* is damaged \(.*\)\. Restore the newest complete backup/);
    expect(doctor.lines.join("\n")).not.toMatch(/^\s+at /m);
  });

  it("reports in one line that the database is newer than the program, not damaged", async () => {
    const folder = damaged(() => undefined);
    const database = await openDatabase(place(folder));
    await sql`insert into kysely_migration values ('9999-future', '2999-01-01')`.execute(database.db);
    await database.close();
    const error = await refusal(folder);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toMatch(
      /^The database was made by a newer Limn: .* version 9999-future.* Update Limn\.$/,
    );
  });
});
