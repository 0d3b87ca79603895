import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { codeOf, errorFromSql } from "../../../../server/base/errors";
import { type FolderWatch, watchFolder } from "../../../../server/db/dataFolder/watchFolder";
import { openDatabase } from "../../../../server/db/open/database";
import { temporaryFolder } from "../../../support/folders";
import { installedFolder } from "../../../support/installedFolder";

describe("the watch on the data folder", () => {
  const watches: FolderWatch[] = [];
  afterEach(() => {
    for (const watch of watches.splice(0)) watch.stop();
  });
  const watched = () => {
    const folder = join(temporaryFolder(), "data");
    mkdirSync(join(folder, "db"), { recursive: true });
    const files = [join(folder, "lock"), join(folder, "db/PG_VERSION")];
    for (const file of files) writeFileSync(file, "18\n");
    const lost: Error[] = [];
    const watch = watchFolder(folder, files, (error) => lost.push(error));
    watches.push(watch);
    return { folder, files, watch, lost };
  };

  it("reports nothing when other files appear, change or disappear", () => {
    const { folder, files, watch } = watched();
    writeFileSync(join(folder, "db/other"), "");
    for (const file of files) writeFileSync(file, "changed");
    rmSync(join(folder, "db/other"));
    expect(watch.check).not.toThrow();
  });

  it.each<[string, (folder: string) => void, RegExp]>([
    ["the folder is deleted", (folder) => rmSync(folder, { recursive: true }), /was deleted or moved away/],
    ["the folder is moved away", (folder) => renameSync(folder, `${folder}2`), /was deleted or moved away/],
    ["its visible files are deleted", (folder) => rmSync(join(folder, "db"), { recursive: true }), /was deleted/],
    ["the lock is deleted", (folder) => rmSync(join(folder, "lock")), /was deleted/],
    [
      "a copy takes its place",
      (folder) => {
        cpSync(folder, `${folder}2`, { recursive: true });
        rmSync(folder, { recursive: true });
        renameSync(`${folder}2`, folder);
      },
      /was replaced by another/,
    ],
  ])("reports the loss once, and admits nothing again, when %s", (_, act, message) => {
    const { folder, watch, lost } = watched();
    act(folder);
    expect(watch.check).toThrow(message);
    expect(watch.check).toThrow(message);
    expect(lost).toHaveLength(1);
  });

  it("notices the loss without a request", async () => {
    const { folder, lost } = watched();
    rmSync(folder, { recursive: true });
    await expect.poll(() => lost.length).toBe(1);
  });
});

describe("an embedded database whose folder is deleted", () => {
  it("acknowledges nothing more, and is reported as lost", async () => {
    const folder = await installedFolder();
    const lost: Error[] = [];
    const database = await openDatabase(
      { DATA_DIR: folder, DATABASE_URL: undefined },
      { onLost: (error) => lost.push(error) },
    );
    const save = (username: string) =>
      database.db
        .insertInto("users")
        .values({ username })
        .execute()
        .catch((error: unknown) => error);
    await database.db
      .transaction()
      .execute(async (trx) => {
        await trx.insertInto("users").values({ username: "anna" }).execute();
        rmSync(folder, { recursive: true });
      })
      .then(
        () => expect.fail("committed"),
        (error: unknown) => expect(codeOf(error)).toBe("57P02"),
      );
    for (const name of ["bob", "carol"]) expect(errorFromSql(await save(name))?.status).toBe(503);
    expect(lost.map((error) => error.message)).toEqual([
      expect.stringMatching(/^The data folder .* was deleted or moved away .* start Limn again\.$/),
    ]);
    await database.close();
  });
});
