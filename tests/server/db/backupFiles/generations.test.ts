import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { backUp } from "../../../../server/db/backup/backup";
import { startBackups } from "../../../../server/db/backup/backups";
import { backupFolder } from "../../../../server/db/backupFiles/backupFolder";
import { selectBackupsToKeep } from "../../../../server/db/backupFiles/generations";
import { readFacts } from "../../../../server/db/backupFiles/readBackup";
import { openEmbedded, type TestDatabase } from "../../../support/databases";
import { temporaryFolder } from "../../../support/folders";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("generations of backups", () => {
  it("backups cover hours, days and weeks after a year of hourly backups, in few files", () => {
    let kept: { age: number }[] = [];
    for (let hour = 0; hour < 24 * 365; hour++) kept = selectBackupsToKeep([...kept, { age: hour * 60 }]);
    const hoursAgo = kept.map(({ age }) => 24 * 365 - 1 - age / 60).reverse();
    expect(hoursAgo.slice(0, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(hoursAgo.filter((hours) => hours > 12 && hours <= 24 * 6)).toEqual([24, 48, 72, 96, 120, 144]);
    expect(Math.max(...hoursAgo)).toBeGreaterThan(6 * 7 * 24);
    expect(hoursAgo.length).toBeLessThan(30);
  });

  it("always include the newest ten, however quickly they were made", () => {
    const files = Array.from({ length: 30 }, (_, n) => ({ age: 0, n }));
    expect(selectBackupsToKeep(files).map(({ n }) => n)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
  });
});

describe("backups under a wrong clock", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openEmbedded();
  });
  afterAll(() => database.close());
  afterEach(() => {
    vi.useRealTimers();
  });
  const at = (moment: number) => vi.useFakeTimers({ now: moment, toFake: ["Date"] });
  const folderOf = () => {
    const env = { DATA_DIR: temporaryFolder(), BACKUP_MINUTES: 0 };
    return { env, folder: backupFolder(env.DATA_DIR) };
  };

  it("backups are listed in the right order after ten were made 30 days ahead", async () => {
    const { env, folder } = folderOf();
    const backups = startBackups(database, env);
    const now = Date.now();
    at(now);
    const before = await backups.now();
    for (let n = 0; n < 10; n++) {
      at(now + 30 * DAY + n * HOUR);
      await backups.now();
    }
    for (let n = 1; n <= 3; n++) {
      at(now + n * HOUR);
      const path = await backups.now();
      expect(existsSync(path)).toBe(true);
      expect(readdirSync(folder).sort().at(-1)).toBe(basename(path));
    }
    expect(existsSync(before)).toBe(true);
    await backups.stop();
  });

  it("backups continue after unnumbered ones of any name, and leave the owner's own files alone", async () => {
    const { env, folder } = folderOf();
    mkdirSync(folder, { recursive: true });
    for (let n = 10; n < 30; n++) writeFileSync(join(folder, `2099-01-${n}T00-00-00-000Z.ndjson.gz`), "old");
    writeFileSync(join(folder, "before the move.ndjson.gz"), "mine");
    const backups = startBackups(database, env);
    const path = await backups.now();
    const left = readdirSync(folder);
    expect(left).toContain(basename(path));
    expect(left).toContain("before the move.ndjson.gz");
    expect(left.filter((name) => name.startsWith("2099"))).toHaveLength(9);
    await readFacts(path);
    await backups.stop();
  });

  it("the half-written file of a killed process is removed at the next start, whatever the clock says", async () => {
    const { env, folder } = folderOf();
    mkdirSync(folder, { recursive: true });
    const half = join(folder, "backup-000001-2026-01-01T00-00-00-000Z.ndjson.gz.0a1b-2c.tmp");
    writeFileSync(half, "half");
    const backups = startBackups(database, env);
    await backups.stop();
    expect(existsSync(half)).toBe(false);
    writeFileSync(half, "half");
    const later = new Date(Date.now() + HOUR);
    utimesSync(half, later, later);
    await backUp(database, folder);
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
