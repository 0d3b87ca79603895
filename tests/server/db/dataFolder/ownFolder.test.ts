import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../../server/base/errors";
import { backUp } from "../../../../server/db/backup/backup";
import { restore } from "../../../../server/db/backup/restore";
import { backupFolder } from "../../../../server/db/backupFiles/backupFolder";
import { readInstallation } from "../../../../server/db/installation";
import { type DatabaseOptions, openDatabase } from "../../../../server/db/open/database";
import { createServerDatabase, describeOnServer } from "../../../support/databases";
import { temporaryFolder } from "../../../support/folders";
import { folderWithoutTables } from "../../../support/installedFolder";

const markerOf = (folder: string) => join(folder, "installation.json");
const idIn = (folder: string) => JSON.parse(readFileSync(markerOf(folder), "utf8")).installation;

describeOnServer("the data folder of a PostgreSQL server's database", () => {
  const start = async (url: string, folder: string, options: DatabaseOptions = {}) => {
    const database = await openDatabase(
      { DATABASE_URL: url, DATA_DIR: folder, DATASETS_DIR: join(folder, "datasets") },
      options,
    );
    const { id } = await readInstallation(database.db);
    return { ...database, id };
  };
  const startAndClose = async (url: string, folder: string, options?: DatabaseOptions) => {
    const { close, id } = await start(url, folder, options);
    await close();
    return id;
  };

  it("the folder is marked at the first start of several processes, and another folder is refused until it is adopted", async () => {
    const url = await createServerDatabase("limn_template");
    const folder = temporaryFolder();
    const ids = await Promise.all([1, 2, 3].map(() => startAndClose(url, folder)));
    expect(new Set([...ids, idIn(folder)]).size).toBe(1);
    await startAndClose(url, folder);

    const foreign = temporaryFolder();
    const refused = startAndClose(url, foreign);
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(refused).rejects.toThrow(
      /^The data folder .* is not that of the database .*installation\.json is missing\. .*: npm run adopt$/,
    );
    expect(existsSync(markerOf(foreign))).toBe(false);

    const other = await createServerDatabase("limn_template");
    await startAndClose(other, foreign);
    await expect(startAndClose(url, foreign)).rejects.toThrow(/belongs to another database/);
    await startAndClose(url, foreign, { adopt: true });
    await startAndClose(url, foreign);
    await startAndClose(url, folder);
  });

  it("each machine may have a new folder if the files are in a bucket, but not another database's", async () => {
    const url = await createServerDatabase("limn_template");
    const [one, two, foreign] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const open = async (DATABASE_URL: string, DATA_DIR: string) => {
      const { close } = await openDatabase({ DATABASE_URL, DATA_DIR, STORAGE: "s3://limn" });
      await close();
    };
    await open(url, one);
    await open(url, two);
    expect(idIn(two)).toBe(idIn(one));
    await open(await createServerDatabase("limn_template"), foreign);
    await expect(open(url, foreign)).rejects.toThrow(/belongs to another database/);
  });

  it("an unmarked folder is adopted if it contains the datasets, and refused if it contains none", async () => {
    const url = await createServerDatabase("limn_template");
    const { db, close } = await openDatabase({ DATABASE_URL: url, DATA_DIR: "" });
    await db.insertInto("datasets").values({ name: "Cats", folder: "cats" }).execute();
    await close();
    const folder = temporaryFolder();
    await expect(startAndClose(url, folder)).rejects.toThrow(/none of its 1 dataset\(s\) is in/);
    mkdirSync(join(folder, "datasets/cats"), { recursive: true });
    expect(await startAndClose(url, folder)).toBe(idIn(folder));
  });

  it("the process stops when the folder disappears", async () => {
    const url = await createServerDatabase("limn_template");
    const folder = temporaryFolder();
    const lost: Error[] = [];
    const { close } = await start(url, folder, { onLost: (error) => lost.push(error) });
    rmSync(markerOf(folder));
    await expect.poll(() => lost).toHaveLength(1);
    expect(lost[0]?.message).toMatch(/^The data folder .* is gone, .* Limn stops\./);
    await close();
  });

  it("the folder is marked by a restore into an empty database", async () => {
    const from = await start(await createServerDatabase("limn_template"), temporaryFolder());
    const path = await backUp(from, temporaryFolder());
    await from.close();
    const url = await createServerDatabase("template0");
    const folder = temporaryFolder();
    await restore({ DATABASE_URL: url, DATA_DIR: folder }, path, false);
    expect(await startAndClose(url, folder)).toBe(idIn(folder));
    await expect(startAndClose(url, temporaryFolder())).rejects.toThrow(/is missing/);
  });
});

describe("the data folder of an embedded database", () => {
  let whole: string;
  const start = async (DATA_DIR: string, options: DatabaseOptions = {}) => {
    const { db, close, created } = await openDatabase({ DATA_DIR, DATABASE_URL: undefined }, options);
    const { id } = await readInstallation(db);
    const users = await db.selectFrom("users").select("username").execute();
    await close();
    return { id, created, users: users.map(({ username }) => username) };
  };
  const copyOf = (folder: string) => {
    const copy = join(temporaryFolder(), "data");
    mkdirSync(copy);
    for (const name of ["db", "backups", "installation.json"])
      cpSync(join(folder, name), join(copy, name), { recursive: true });
    return copy;
  };
  beforeAll(async () => {
    whole = await folderWithoutTables();
    const database = await openDatabase({ DATA_DIR: whole, DATABASE_URL: undefined });
    await database.db.insertInto("users").values({ username: "anna" }).execute();
    await backUp(database, backupFolder(whole));
    await database.close();
  });

  it("is accepted as a copy in another place, and without a marker", async () => {
    const copy = copyOf(whole);
    expect(await start(copy)).toEqual({ id: idIn(whole), created: false, users: ["anna"] });
    rmSync(markerOf(copy));
    expect((await start(copy)).id).toBe(idIn(copy));
  });

  it("gets no empty database when its database is missing; the database can be restored, or the folder adopted", async () => {
    const folder = copyOf(whole);
    rmSync(join(folder, "db"), { recursive: true });
    const refused = start(folder);
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(refused).rejects.toThrow(
      /^There is no database in .* npm run restore -- .*backups\/backup-000001-.* --force .*: npm run adopt$/,
    );
    rmSync(markerOf(folder));
    await expect(start(folder)).rejects.toThrow(/There is no database/);
    const [backup = ""] = /\S+\.ndjson\.gz/.exec(String(await start(folder).catch((error) => error))) ?? [];
    await restore({ DATA_DIR: folder, DATABASE_URL: undefined }, backup, false);
    const restored = await start(folder);
    expect(restored).toEqual({ id: idIn(folder), created: false, users: ["anna"] });
    expect(restored.id).not.toBe(idIn(whole));

    cpSync(markerOf(whole), markerOf(folder));
    await expect(start(folder)).rejects.toThrow(/belongs to another database/);
    expect(await start(folder, { adopt: true })).toMatchObject({ users: ["anna"] });
    await start(folder);
  });
});
