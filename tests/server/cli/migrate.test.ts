import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../../../server/db/open/database";
import { describeOnServer } from "../../support/databases";
import { temporaryFolder } from "../../support/folders";
import { installedFolder } from "../../support/installedFolder";
import {
  drawn,
  oldAnnotation,
  oldCategory,
  oldDataset,
  oldImage,
  oldUser,
  square,
  writeDump,
  writeImages,
} from "../../support/originalDump";
import { PATIENCE_MS } from "../../support/patience";
import { startProgram } from "../../support/processes";
import { startServer } from "../../support/server";

const IMAGES = 40;
const ANNOTATIONS = 2_600;

/** Columns that differ between two migrations of the same dump. */
const VARYING = ["uuid", "annotation_uuid", "created_at", "password_hash", "modified_ms", "source"];
const TABLES = ["users", "categories", "datasets", "images", "annotations", "work_sessions", "migrated_rows"];

describe("npm run migrate", () => {
  const dump = temporaryFolder();
  const images = temporaryFolder();
  const start = (DATA_DIR: string, ...more: string[]) =>
    startProgram("server/cli/migrate.ts", [dump, "--images", images, ...more], {
      DATA_DIR,
      DATABASE_URL: "",
      DATASETS_DIR: "",
    });

  beforeAll(async () => {
    const cats = oldDataset(1, "cats", { owner: "ann", categories: [1] });
    const paths = Array.from({ length: IMAGES }, (_, i) => `${i % 3}/${i}.png`);
    writeDump(join(dump, "dump"), {
      user_model: [oldUser("ann", { is_admin: true }), oldUser("bob")],
      category_model: [oldCategory(1, "cat", { creator: "ann" })],
      dataset_model: [cats],
      image_model: paths.map((path, i) => oldImage(i + 1, cats, path)),
      annotation_model: Array.from({ length: ANNOTATIONS }, (_, i) =>
        oldAnnotation(i + 1, 1 + (i % IMAGES), 1, {
          ...drawn([square(2, 2, 10), square(4, 4, 3, false)]),
          creator: i % 2 ? "bob" : "gone",
          events: [{ user: "bob", milliseconds: i, tools_used: [], created_at: new Date(1.6e12) }],
        }),
      ),
    });
    await writeImages(join(images, "cats"), paths);
  });

  it("killed among images and among annotations, and repeated, ends like a run that was not", async () => {
    const whole = await installedFolder();
    const alone = start(whole);
    expect(await alone.ended).toBe(0);
    expect(alone.lines).toContain("All objects keep their ids.");
    expect(alone.lines.at(-1)).toBe("The migration is complete.");

    const killed = await installedFolder();
    const first = start(killed);
    await until(() => countFiles(join(killed, "datasets", "cats")) > 5);
    expect(await first.kill("SIGKILL")).toBe("SIGKILL");
    const remarks = () => readIfThere(join(killed, "migration-report.txt"));
    for (const number of [701, 1801]) {
      const next = start(killed);
      await until(() => remarks().includes(`annotation ${number} `));
      expect(await next.kill("SIGKILL")).toBe("SIGKILL");
    }
    const last = start(killed);
    expect(await last.ended).toBe(0);
    const report = last.lines.find((line) => /^annotation_model: .* created/.test(line));
    const [, created, before] = /(\d+) created, (\d+) migrated before/.exec(report ?? "") ?? [];
    expect(Number(created) + Number(before)).toBe(ANNOTATIONS);
    expect(Number(before)).toBeGreaterThan(1000);
    expect(await contentOf(killed)).toEqual(await contentOf(whole));
    expect(countFiles(join(killed, "datasets", "cats"))).toBe(IMAGES);
  });

  it("a dry run without a database creates nothing", async () => {
    const DATA_DIR = temporaryFolder();
    const run = start(DATA_DIR, "--dry-run");
    expect(await run.ended).toBe(0);
    expect(run.lines).toContainEqual(
      `annotation_model: ${ANNOTATIONS} read, ${ANNOTATIONS} to create, 0 migrated before, 0 skipped`,
    );
    expect(run.lines.at(-1)).toBe("This was a dry run: nothing was written.");
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  it("errors are reported in one or two lines", async () => {
    const call = async (...args: string[]) => {
      const run = startProgram("server/cli/migrate.ts", args, { DATA_DIR: temporaryFolder(), DATABASE_URL: "" });
      expect(await run.ended).toBe(1);
      return run.lines.join("\n");
    };
    expect(await call()).toMatch(/^Which dump\?/);
    expect(await call(dump)).toMatch(/^Which folder of images\?/);
    expect(await call(dump, "--images", images, "--fast")).toMatch(/Unknown option '--fast'/);
    expect(await call(images, "--images", images)).toMatch(/has no database of COCO Annotator/);
    expect(await call(dump, "--images", join(images, "none"))).toMatch(/does not exist/);
  });
});

describeOnServer("npm run migrate while a server runs", (open) => {
  it("shows what it stores to users who are logged in", async () => {
    const database = await open();
    const server = await startServer(database);
    const [dump, images] = [temporaryFolder(), temporaryFolder()];
    const cats = oldDataset(1, "cats", { owner: "ann", categories: [1] });
    writeDump(dump, {
      user_model: [oldUser("ann")],
      category_model: [oldCategory(1, "cat")],
      dataset_model: [cats],
      image_model: [oldImage(1, cats, "1.png")],
      annotation_model: [oldAnnotation(1, 1, 1, { ...drawn([square(2, 2, 10), square(4, 4, 3, false)]) })],
    });
    await writeImages(join(images, "cats"), ["1.png"]);
    const ann = await server.user("ann");
    const run = startProgram("server/cli/migrate.ts", [dump, "--images", images], {
      DATA_DIR: server.env.DATA_DIR,
      DATABASE_URL: database.url,
      DATASETS_DIR: "",
    });
    expect([await run.ended, run.lines.at(-1)]).toEqual([0, "The migration is complete."]);
    expect((await ann.get("dataset/data")).body.datasets).toMatchObject([{ id: 1, name: "cats", numberAnnotated: 1 }]);
    expect((await ann.get("image/1?thumbnail=true&width=20")).status).toBe(200);
    await server.close();
  });
});

/** Waits until a condition holds. */
const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: PATIENCE_MS, interval: 20 });

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

const countFiles = (folder: string): number =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
    : 0;

/** Returns the content of the tables without the columns that differ between two runs. */
async function contentOf(DATA_DIR: string): Promise<Record<string, string[]>> {
  const { db, close } = await openDatabase({ DATA_DIR, DATABASE_URL: undefined });
  const all: Record<string, string[]> = {};
  for (const table of TABLES) {
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(t) - ${VARYING}::text[])::text as row from ${sql.table(table)} as t`.execute(db);
    all[table] = rows.map(({ row }) => row).sort();
  }
  await close();
  return all;
}
