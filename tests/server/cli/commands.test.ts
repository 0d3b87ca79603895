import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { readEnv } from "../../../server/base/env";
import { openDatabase } from "../../../server/db/open/database";
import { makeFiles } from "../../../server/files/files";
import { fillEveryTable, readAllTables } from "../../support/allTables";
import { describeOnServer } from "../../support/databases";
import { temporaryFolder } from "../../support/folders";
import { installedFolder } from "../../support/installedFolder";
import { copyInstallation } from "../../support/liveServer";
import { startProgram } from "../../support/processes";

const call = async (name: string, args: string[], env: Record<string, string | undefined>) => {
  const program = startProgram(`server/cli/${name}.ts`, args, { DATABASE_URL: "", DATASETS_DIR: "", ...env });
  const code = await program.ended;
  return { code, lines: program.lines };
};

describe("the backup and restore commands", () => {
  it("the commands work without a server, and through a running server", async () => {
    const DATA_DIR = await installedFolder();
    const database = await openDatabase({ DATA_DIR, DATABASE_URL: undefined });
    await fillEveryTable(database.db);
    const before = await readAllTables(database.db);
    await database.close();
    const alone = await call("backup", [], { DATA_DIR });
    expect(alone).toMatchObject({
      code: 0,
      lines: [expect.stringMatching(/^The backup is .*\.ndjson\.gz\. Images/)],
    });

    const holder = startProgram("tests/support/holder.ts", [], { DATA_DIR, DATABASE_URL: "" });
    await holder.line(/^open$/);
    expect(await call("backup", [], { DATA_DIR })).toMatchObject({ code: 0 });
    expect(readdirSync(join(DATA_DIR, "backups"))).toHaveLength(2);
    const [file = ""] = readdirSync(join(DATA_DIR, "backups"));
    const path = join(DATA_DIR, "backups", file);
    expect(await call("restore", [path, "--force"], { DATA_DIR })).toEqual({
      code: 1,
      lines: [`The data folder ${DATA_DIR} is in use by another Limn process. Stop it first.`],
    });
    expect(await holder.kill("SIGTERM")).toBe(0);

    const other = temporaryFolder();
    expect(await call("restore", [path], { DATA_DIR: other })).toMatchObject({ code: 0 });
    const again = await openDatabase({ DATA_DIR: other, DATABASE_URL: undefined });
    expect(await readAllTables(again.db)).toEqual(before);
    await again.close();
    expect((await call("restore", [path], { DATA_DIR: other })).lines).toEqual([expect.stringMatching(/is not empty/)]);
  });

  it("errors are reported in one line", async () => {
    const DATA_DIR = temporaryFolder();
    expect(await call("backup", [], { DATA_DIR })).toEqual({
      code: 1,
      lines: [`There is no database in ${DATA_DIR}.`],
    });
    expect(await call("restore", [], { DATA_DIR })).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^Which backup/)],
    });
    expect(await call("restore", ["nothing.gz"], { DATA_DIR })).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^nothing\.gz is not a complete backup: ENOENT/)],
    });
    expect(await call("backup", [], { DATA_DIR, PORT: "x" })).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/^PORT must/)],
    });
    expect(await call("doctor", ["--help"], { DATA_DIR })).toMatchObject({ code: 1 });
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });
});

describe("doctor", () => {
  const DATA_DIR = temporaryFolder();
  const env = readEnv({ DATA_DIR });
  const open = () => openDatabase({ DATA_DIR, DATABASE_URL: undefined });
  const at = (name: string) => join(env.DATASETS_DIR, "cats", name);

  beforeAll(async () => {
    await copyInstallation(DATA_DIR);
    const { db, close } = await open();
    const files = makeFiles(env);
    await db.insertInto("datasets").values({ name: "Cats", folder: "cats" }).execute();
    await db.insertInto("categories").values({ name: "cat", color: "#00ff00" }).execute();
    mkdirSync(at("."), { recursive: true });
    for (const name of ["good", "missing", "grown", "altered", "touched"]) {
      const path = `${name}.png`;
      await sharp({ create: { width: 8, height: 4, channels: 3, background: "#aabbcc" } })
        .png()
        .toFile(at(path));
      const { mime, width, height, bytes, modifiedMs, hash } = await files.images.probe("cats", path);
      await db
        .insertInto("images")
        .values({
          dataset_id: 1,
          path,
          folder: "",
          file_name: path,
          mime,
          width,
          height,
          bytes,
          modified_ms: modifiedMs,
          hash,
        })
        .execute();
    }
    await sql`insert into annotations (image_id, category_id, color, shape) values (1, 1, '#ff0000',
      '[{"outer":[0,0,1,0,1,1],"holes":[]}]')`.execute(db);
    await sql`update images set num_annotations = 1, annotated = true, categories = '{1}' where id = 1`.execute(db);
    await close();
  });

  it("finds nothing in a sound installation", async () => {
    const { code, lines } = await call("doctor", ["--read-all"], { DATA_DIR });
    expect(lines).toEqual([
      "References: no problems",
      "Counts: no problems",
      "Image files: no problems",
      "Transfers: no problems",
      "No problems found.",
    ]);
    expect(code).toBe(0);
  });

  it("finds each planted damage, changes nothing without --fix, and corrects counts with it", async () => {
    const { db, close } = await open();
    await sql`update images set num_annotations = 7 where id = 2`.execute(db);
    await sql`update images set open_threads = 2 where id = 3`.execute(db);
    await sql`insert into comments (uuid, image_id, x, y, text, user_name, revision, created_at)
      values (gen_random_uuid(), 3, 1, 1, 'here', 'ann', 1, now())`.execute(db);
    await sql`update images set labels = '{1,99}' where id = 3`.execute(db);
    await sql`insert into image_counts values (1, 100, 0)`.execute(db);
    await sql`alter table annotations disable trigger all`.execute(db);
    await sql`insert into annotations (image_id, category_id, color) values (4711, 1, '#ff0000')`.execute(db);
    await sql`alter table annotations enable trigger all`.execute(db);
    await sql`insert into annotations (image_id, category_id, color, visible) values (1, 1, '#ff0000', false)`.execute(
      db,
    );
    await sql`insert into exports (dataset_id, file, bytes) values (1, 'gone.json', 5)`.execute(db);
    await close();
    rmSync(at("missing.png"));
    appendFileSync(at("grown.png"), "more");
    const bytes = await sharp({ create: { width: 8, height: 4, channels: 3, background: "#aabbcd" } })
      .png()
      .toBuffer();
    const { size } = await stat(at("altered.png"));
    expect(bytes.length).toBe(size);
    writeFileSync(at("altered.png"), bytes);
    utimesSync(at("touched.png"), new Date(), new Date(0));
    await sharp({ create: { width: 8, height: 4, channels: 3, background: "red" } })
      .png()
      .toFile(at("new.png"));
    writeFileSync(at("readme.txt"), "hello");
    const old = new Date(Date.now() - 86_400_000);
    for (const folder of ["exports", "uploads"]) {
      mkdirSync(join(DATA_DIR, folder), { recursive: true });
      writeFileSync(join(DATA_DIR, folder, "orphan"), "x");
      utimesSync(join(DATA_DIR, folder, "orphan"), old, old);
    }
    const expected = [
      "  1 row(s) of annotations refer to a missing row of images (image_id).",
      "  1 image(s) are labelled with a missing category.",
      "  1 annotation(s) are hidden although their import has ended.",
      "References: 3 problem(s)",
      "  Image 2 has a stored count of 7 annotation(s), but it has 0.",
      "  Image 3 has a stored count of 2 unresolved thread(s) of comments, but it has 1.",
      expect.stringMatching(/^ {2}Dataset 1 has a stored count of 10\d\/1 \(images\/annotated\), but it has \d\/1\.$/),
      "Counts: 3 problem(s)",
      "  Dataset 1 (Cats): image 2 (missing.png) has no file.",
      expect.stringMatching(
        /^ {2}Dataset 1 \(Cats\): image 3 \(grown\.png\) has a file of \d+ bytes instead of \d+\.$/,
      ),
      "  Dataset 1 (Cats): image 4 (altered.png) has a file with other bytes.",
      "  Dataset 1 (Cats): new.png belongs to no image (a scan will add it).",
      "Image files: 4 problem(s)",
      "  Export 1 has no file.",
      "  The export file orphan belongs to no export or version.",
      "  The uploaded file orphan belongs to no task.",
      "Transfers: 3 problem(s)",
      "13 problem(s).",
    ];
    expect(await call("doctor", [], { DATA_DIR })).toEqual({ code: 1, lines: expected });
    const again = await call("doctor", ["--fix"], { DATA_DIR });
    expect(again.lines).toEqual(
      expected
        .with(4, "  Image 2 has a stored count of 7 annotation(s), corrected to 0.")
        .with(5, "  Image 3 has a stored count of 2 unresolved thread(s) of comments, corrected to 1.")
        .with(6, expect.stringMatching(/corrected to \d\/1\.$/)),
    );
    const last = await call("doctor", [], { DATA_DIR });
    expect(last.lines).toContain("Counts: no problems");
  });

  it("reports a missing folder as one problem", async () => {
    renameSync(at("."), join(env.DATASETS_DIR, "dogs"));
    const { lines } = await call("doctor", [], { DATA_DIR });
    expect(lines.filter((line) => line.includes("Dataset 1"))).toEqual([
      expect.stringMatching(/Is its disk mounted\?/),
    ]);
  });
});

describeOnServer("worker command", (open) => {
  it("the worker runs tasks of a server's database and stops cleanly; without DATABASE_URL it prints that it needs one", async () => {
    const folder = temporaryFolder();
    const refused = startProgram("server/worker.ts", [], { DATA_DIR: folder, DATABASE_URL: "" });
    expect(await refused.ended).toBe(1);
    expect(refused.lines).toEqual([expect.stringMatching(/^npm run worker needs DATABASE_URL/)]);

    const { db, url } = await open();
    mkdirSync(join(folder, "datasets/cats"), { recursive: true });
    await db.insertInto("datasets").values({ name: "Cats", folder: "cats" }).execute();
    const worker = startProgram("server/worker.ts", [], { DATA_DIR: folder, DATABASE_URL: url });
    await worker.line(/^Working/);
    await sql`insert into tasks (kind, name, key, payload, dataset_id)
      values ('scan', 'Scan', 'scan:1', '{"dataset_id":1}', 1)`.execute(db);
    let state = "";
    while (!["done", "failed"].includes(state))
      state = (await db.selectFrom("tasks").select("state").executeTakeFirstOrThrow()).state;
    expect(state).toBe("done");
    expect(await worker.kill("SIGTERM")).toBe(0);
  });
});
