import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { log } from "../../../../server/base/log";
import { taskKinds } from "../../../../server/tasks";
import type { ShownFinding } from "../../../../shared/api/datasets/quality";
import type { FindingKind } from "../../../../shared/quality/finding";
import { describeOnDatabases, type TestDatabase } from "../../../support/databases";
import { runTask } from "../../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../../support/server";
import { stopAtFirstProgress } from "../../../support/stopTask";

const [WIDTH, HEIGHT] = [200, 150];

// These tests provoke errors, which would be logged.
log.level = "silent";

/** Returns a photograph-like image: coarse random cells, so that no two are similar. */
function picture(seed: number, quality = 90): Promise<Buffer> {
  const cells = Buffer.from(
    Array.from({ length: 12 * 9 * 3 }, (_, i) => (Math.imul(i + 1, 2654435761 + seed * 97) >>> 8) & 255),
  );
  return sharp(cells, { raw: { width: 12, height: 9, channels: 3 } })
    .resize(WIDTH, HEIGHT, { kernel: "cubic" })
    .jpeg({ quality })
    .toBuffer();
}

describeOnDatabases("the quality check", (open) => {
  let database: TestDatabase;
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let eve: TestUser;
  let datasetId: number;
  let category: number;
  let other: number;
  let number = 0;

  beforeAll(async () => {
    database = await open();
    server = await startServer(database);
    ann = await server.user("ann");
    bob = await server.user("bob");
    eve = await server.user("eve");
    category = (await ann.post("category/", { name: "disc" })).body.id;
    other = (await ann.post("category/", { name: "hole" })).body.id;
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    datasetId = (await ann.post("dataset/", { name: `quality ${++number}` })).body.id;
    await ann.post(`dataset/${datasetId}/share`, { users: ["bob"] });
  });

  async function addImage(bytes: Buffer, folder = ""): Promise<number> {
    const body = new FormData();
    if (folder) body.set("folder", folder);
    body.set("files", new Blob([new Uint8Array(bytes)]), `${++number}.jpg`);
    const sent = await ann.request("POST", `dataset/${datasetId}/upload`, { body });
    expect(sent.status, sent.text).toBe(200);
    return sent.body.files[0].id;
  }

  async function draw(
    image_id: number,
    box: [number, number, number, number],
    category_id = category,
  ): Promise<number> {
    const [x, y, w, h] = box;
    const segmentation = [[x, y, x + w, y, x + w, y + h, x, y + h]];
    const { status, body, text } = await ann.post("annotation/", { image_id, category_id, segmentation });
    expect(status, text).toBe(200);
    return body.id;
  }

  const path = (name: string) => `dataset/${datasetId}/quality${name}`;

  async function run(name: string, body: object = {}, by = ann) {
    const { status, body: task, text } = await by.post(path(name), body);
    expect(status, text).toBe(200);
    const { row, log: lines } = await runTask(server.db, taskKinds, server.services, task.id);
    expect(row.state, lines.join("\n")).toBe("done");
    return row.result as { read: number; fixed: number; kept: number; restored: number; undo: string | null };
  }

  const check = () => run("/check");
  const quality = async () => (await ann.get(path(""))).body;
  const counts = async () =>
    Object.fromEntries((await quality()).kinds.map((each: { kind: string; found: number }) => [each.kind, each.found]));
  const list = async (kind: FindingKind, query = ""): Promise<ShownFinding[]> =>
    (await ann.get(path(`/findings?kind=${kind}${query}`))).body.findings;
  const rowOf = (id: number) =>
    server.db.selectFrom("annotations").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const isDeleted = async (id: number) => (await rowOf(id)).deleted_at !== null;

  it("finds nothing in a sound dataset, and tells when it was checked", async () => {
    expect(await quality()).toEqual({ checked: null, kinds: [], fixes: [] });
    const image = await addImage(await picture(1));
    await draw(image, [20, 20, 60, 40]);
    await draw(image, [100, 20, 60, 40], other);
    expect(await check()).toMatchObject({ images: 1, annotations: 2, read: 1 });
    expect(await quality()).toMatchObject({ checked: { images: 1, annotations: 2 }, kinds: [], fixes: [] });
  });

  it("finds copies, leaks, blank and unreadable images", async () => {
    const bytes = await picture(2);
    const first = await addImage(bytes, "train");
    const copy = await addImage(bytes, "train");
    const leaked = await addImage(await picture(2, 60), "val");
    const blank = await addImage(
      await sharp({ create: { width: 90, height: 80, channels: 3, background: "#888" } })
        .jpeg()
        .toBuffer(),
    );
    const broken = await addImage(await picture(3));
    const { folder } = await server.db
      .selectFrom("datasets")
      .selectAll()
      .where("id", "=", datasetId)
      .executeTakeFirstOrThrow();
    const { path: file } = await server.db
      .selectFrom("images")
      .selectAll()
      .where("id", "=", broken)
      .executeTakeFirstOrThrow();
    await writeFile(join(server.env.DATA_DIR, "datasets", folder, file), (await picture(3)).subarray(0, 2000));
    await check();
    expect(await counts()).toEqual({ leak: 1, sameImage: 1, unreadable: 1, blank: 1 });
    const imagesOf = async (kind: FindingKind) =>
      (await list(kind)).map(({ image, other_image }) => [image?.id, other_image?.id]);
    expect(await imagesOf("leak")).toEqual([[leaked, expect.toBeOneOf([first, copy])]]);
    expect(await imagesOf("sameImage")).toEqual([[copy, first]]);
    expect(await imagesOf("blank")).toEqual([[blank, undefined]]);
    expect(await imagesOf("unreadable")).toEqual([[broken, undefined]]);
  });

  it("reads only what has changed when it checks again", async () => {
    const image = await addImage(await picture(4));
    const first = await draw(image, [20, 20, 60, 40]);
    expect((await check()).read).toBe(1);
    const second = await draw(image, [20, 20, 60, 40]);
    await addImage(await picture(5));
    expect((await check()).read).toBe(1);
    expect(await list("duplicate")).toMatchObject([{ annotation: { id: second }, other_annotation: { id: first } }]);
    expect((await check()).read).toBe(0);
    expect(await counts()).toEqual({ duplicate: 1 });
  });

  it("leaves out findings about annotations that were changed or deleted since", async () => {
    const image = await addImage(await picture(6));
    const first = await draw(image, [20, 20, 60, 40]);
    await draw(image, [20, 20, 60, 40]);
    await check();
    expect(await counts()).toEqual({ duplicate: 1 });
    await ann.delete(`annotation/${first}`);
    expect(await counts()).toEqual({});
  });

  it("ignores findings in later checks, too, until they are no longer ignored", async () => {
    const image = await addImage(await picture(7));
    await draw(image, [20, 20, 60, 40]);
    await draw(image, [20, 20, 60, 40], other);
    await check();
    const [found] = await list("contradiction");
    expect((await ann.post(path("/ignore"), { kind: "contradiction", ids: [found!.id] })).status).toBe(200);
    await draw(image, [120, 20, 60, 40], other);
    await check();
    expect((await quality()).kinds).toEqual([{ kind: "contradiction", found: 0, ignored: 1, can_fix: false }]);
    expect(await list("contradiction")).toEqual([]);
    const [ignored] = await list("contradiction", "&ignored=true");
    await bob.post(path("/ignore"), { kind: "contradiction", ids: [ignored!.id], ignored: false });
    expect(await counts()).toEqual({ contradiction: 1 });
  });

  it("deletes duplicates but never both copies, and undo brings them back", async () => {
    const image = await addImage(await picture(8));
    const [first, second, third] = [
      await draw(image, [20, 20, 60, 40]),
      await draw(image, [20, 20, 60, 40]),
      await draw(image, [20, 20, 60, 40]),
    ];
    await check();
    expect((await ann.post(path("/fix"), { kind: "duplicate", total: 1 })).status).toBe(409);
    const { undo, ...outcome } = await run("/fix", { kind: "duplicate", total: 2 }, bob);
    expect(outcome).toMatchObject({ fixed: 2, kept: 0 });
    expect(await Promise.all([first, second, third].map(isDeleted))).toEqual([false, true, true]);
    expect(await counts()).toEqual({});
    expect((await quality()).fixes).toMatchObject([{ undo, kind: "duplicate", fixed: 2, is_own: false }]);
    expect((await eve.post(path("/undo"), { undo })).status).toBe(404);
    expect(await run("/undo", { undo }, bob)).toMatchObject({ restored: 2 });
    expect(await Promise.all([first, second, third].map(isDeleted))).toEqual([false, false, false]);
    expect((await ann.post(path("/undo"), { undo })).status).toBe(409);
  });

  it("refuses a command on all findings if others are there than the user saw, although as many", async () => {
    const image = await addImage(await picture(14));
    const [first, second] = [await draw(image, [20, 20, 2, 2]), await draw(image, [60, 20, 2, 2])];
    await check();
    const kind = "tiny";
    const listed = async () => (await ann.get(path(`/findings?kind=${kind}`))).body;
    const seen = await listed();
    expect(seen).toMatchObject({ total: 2, digest: expect.any(Number) });
    const { total, digest } = seen;
    await check();
    expect((await listed()).digest).toBe(digest);
    await ann.delete(`annotation/${first}`);
    const deliberate = await draw(image, [100, 20, 2, 2]);
    await check();
    const now = await listed();
    expect([now.total, now.findings.map(({ annotation }: ShownFinding) => annotation?.id)]).toEqual([
      2,
      [second, deliberate],
    ]);
    for (const [name, body] of [
      ["/fix", {}],
      ["/ignore", { ignored: true }],
    ] as const) {
      const refused = await bob.post(path(name), { kind, total, digest, ...body });
      expect([name, refused.status, refused.body]).toMatchObject([
        name,
        409,
        { code: "total_changed", facts: { total: 2, digest: now.digest } },
      ]);
    }
    expect(await counts()).toEqual({ tiny: 2 });
    // Scripts may send the number alone.
    expect((await bob.post(path("/ignore"), { kind, total })).status).toBe(200);
    expect(
      (await bob.post(path("/ignore"), { kind, ids: now.findings.map(({ id }: ShownFinding) => id), ignored: false }))
        .status,
    ).toBe(200);
    expect(await run("/fix", { kind, total, digest: now.digest }, bob)).toMatchObject({ fixed: 2, kept: 0 });
  });

  it("refuses a command on all findings if an annotation was changed and found again", async () => {
    const image = await addImage(await picture(15));
    const drawn = await draw(image, [20, 20, 2, 2]);
    await check();
    const { total, digest } = (await ann.get(path("/findings?kind=tiny"))).body;
    await ann.put(`annotation/${drawn}`, { category_id: other });
    await check();
    const { status, body } = await ann.post(path("/fix"), { kind: "tiny", total, digest });
    expect([status, body.code]).toEqual([409, "total_changed"]);
    expect(await isDeleted(drawn)).toBe(false);
  });

  it("refuses a command on chosen findings if one is no longer there", async () => {
    const image = await addImage(await picture(16));
    const [first, second] = [await draw(image, [20, 20, 2, 2]), await draw(image, [60, 20, 2, 2])];
    await check();
    const kind = "tiny";
    const ids = (await list(kind)).map(({ id }) => id);
    await ann.delete(`annotation/${first}`);
    for (const name of ["/fix", "/ignore"]) {
      const { status, body } = await bob.post(path(name), { kind, ids });
      expect([name, status, body]).toMatchObject([name, 409, { code: "total_changed", facts: { total: 1 } }]);
    }
    const [left] = await list(kind);
    expect((await quality()).kinds).toMatchObject([{ kind, found: 1, ignored: 0 }]);
    expect(await run("/fix", { kind, ids: [left!.id, left!.id] }, bob)).toMatchObject({ fixed: 1 });
    expect(await isDeleted(second)).toBe(true);
  });

  it("binds a command on the findings that suggest a category to those", async () => {
    const image = await addImage(await picture(17));
    const [first, second] = [await draw(image, [20, 20, 60, 40]), await draw(image, [100, 20, 60, 40])];
    await suggest(first, other);
    await suggest(second, other);
    const kind = "unlikelyCategory";
    const listed = async (query: string) => (await ann.get(path(`/findings?kind=${kind}${query}`))).body;
    const { total, digest } = await listed(`&likely=${other}`);
    expect((await listed("")).digest).toBe(digest);
    // The suggestion is what the fix does: another one is another finding.
    await sql`update quality_findings set details = ${JSON.stringify({ likely: category, margin: 6 })}::jsonb
      where dataset_id = ${datasetId}::integer and annotation_id = ${first}`.execute(server.db);
    expect((await listed("")).digest).not.toBe(digest);
    const refused = await ann.post(path("/fix"), { kind, likely: other, total: 1, digest });
    expect([refused.status, refused.body.code]).toEqual([409, "total_changed"]);
    expect((await ann.post(path("/fix"), { kind, total, digest })).status).toBe(409);
    const one = await listed(`&likely=${other}`);
    expect(await run("/fix", { kind, likely: other, total: 1, digest: one.digest })).toMatchObject({ fixed: 1 });
  });

  it("keeps what was changed since it was found, and what was changed since it was fixed", async () => {
    const image = await addImage(await picture(9));
    await draw(image, [20, 20, 60, 40]);
    await draw(image, [20, 20, 60, 40]);
    await check();
    const { body: task } = await ann.post(path("/fix"), { kind: "duplicate", total: 1 });
    await server.db
      .updateTable("annotations")
      .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
      .where("image_id", "=", image)
      .execute();
    expect((await runTask(server.db, taskKinds, server.services, task.id)).row.result).toMatchObject({
      fixed: 0,
      kept: 1,
      undo: null,
    });
  });

  it("counts what was fixed and restored before a restart of the server", async () => {
    for (const seed of [21, 22]) {
      const image = await addImage(await picture(seed));
      for (let i = 0; i < 2; i++) await draw(image, [20, 20, 60, 40]);
    }
    await check();
    const { body: fix } = await ann.post(path("/fix"), { kind: "duplicate", total: 2 });
    await stopAtFirstProgress(server, "fixFindings", fix.id);
    const fixed = (await runTask(server.db, taskKinds, server.services, fix.id)).row.result as { undo: string };
    expect(fixed).toMatchObject({ fixed: 2, kept: 0, undo: expect.any(String) });
    const { body: undo } = await ann.post(path("/undo"), { undo: fixed.undo });
    await stopAtFirstProgress(server, "undoFixes", undo.id);
    expect((await runTask(server.db, taskKinds, server.services, undo.id)).row.result).toMatchObject({ restored: 2 });
  });

  it("counts copies that were moved to the trash before the server was killed", async () => {
    const bytes = await picture(23);
    for (let i = 0; i < 3; i++) await addImage(bytes);
    await check();
    const { body: task } = await ann.post(path("/fix"), { kind: "sameImage", total: 2 });
    for (let attempt = 1; attempt <= 2; attempt++) {
      await server.db
        .updateTable("tasks")
        .set({ state: "queued", finished_at: null })
        .where("id", "=", task.id)
        .execute();
      const { result } = (await runTask(server.db, taskKinds, server.services, task.id)).row;
      expect(result).toMatchObject({ fixed: 2, kept: 0, undo: expect.any(String) });
    }
  });

  it("cuts outlines off at the border and fits boxes to their outlines, and undo restores both exactly", async () => {
    const image = await addImage(await picture(10));
    const outside = await draw(image, [150, 20, 90, 40]);
    const shifted = await draw(image, [20, 80, 60, 40]);
    const shape = (x: number, y: number, w: number, h: number) =>
      JSON.stringify([[x, y, x + w, y, x + w, y + h, x, y + h]]);
    const set = (id: number, values: { shape: string; bbox: string }) =>
      server.db.updateTable("annotations").set(values).where("id", "=", id).execute();
    await set(outside, { shape: shape(150, 20, 90, 40), bbox: "[150, 20, 90, 40]" });
    await set(shifted, { shape: shape(20, 80, 60, 40), bbox: "[35, 80, 60, 40]" });
    const before = [await rowOf(outside), await rowOf(shifted)];
    await check();
    expect(await counts()).toEqual({ boxMismatch: 1, outside: 1 });
    const clip = await run("/fix", { kind: "outside", total: 1 });
    const box = await run("/fix", { kind: "boxMismatch", total: 1 });
    expect((await rowOf(outside)).bbox).toEqual([150, 20, 50, 40]);
    expect(await rowOf(shifted)).toMatchObject({ bbox: [20, 80, 60, 40], area: 2400 });
    expect((await check()) && (await counts())).toEqual({});
    for (const { undo } of [clip, box]) expect(await run("/undo", { undo })).toMatchObject({ restored: 1 });
    const restored = [await rowOf(outside), await rowOf(shifted)];
    const shapes = (rows: typeof before) =>
      rows.map(({ shape, bbox, area, isbbox }) => ({ shape, bbox, area, isbbox }));
    expect(shapes(restored)).toEqual(shapes(before));
  });

  it("moves copies of images to the trash for the owner only, and keeps one with more annotations", async () => {
    const bytes = await picture(11);
    const first = await addImage(bytes);
    const second = await addImage(bytes);
    const third = await addImage(bytes);
    await draw(third, [20, 20, 60, 40]);
    await check();
    expect((await bob.post(path("/fix"), { kind: "sameImage", total: 2 })).status).toBe(403);
    const { undo, ...outcome } = await run("/fix", { kind: "sameImage", total: 2 });
    expect(outcome).toMatchObject({ fixed: 1, kept: 1 });
    const live = async () =>
      (
        await server.db
          .selectFrom("images")
          .select("id")
          .where("dataset_id", "=", datasetId)
          .where("deleted_at", "is", null)
          .orderBy("id")
          .execute()
      ).map(({ id }) => id);
    expect(await live()).toEqual([first, third]);
    expect(await run("/undo", { undo })).toMatchObject({ restored: 1 });
    expect(await live()).toEqual([first, second, third]);
  });

  /** Stores the finding that an annotation looks like one of another category. */
  async function suggest(annotation_id: number, likely: number): Promise<void> {
    const { image_id, revision } = await rowOf(annotation_id);
    await sql`insert into quality_findings (dataset_id, kind, key, image_id, annotation_id, revision, score, details)
      values (${datasetId}, 'unlikelyCategory', ${`a${annotation_id}`}, ${image_id}, ${annotation_id}, ${revision}, 6,
        ${JSON.stringify({ likely, margin: 6 })}::jsonb)`.execute(server.db);
  }

  it("changes categories to the suggested ones, all of one or some, and undo brings the earlier ones back", async () => {
    const third = (await ann.post("category/", { name: `ring ${number}` })).body.id;
    const image = await addImage(await picture(12));
    const [first, second, last] = [
      await draw(image, [20, 20, 60, 40]),
      await draw(image, [100, 20, 60, 40]),
      await draw(image, [20, 80, 60, 40], other),
    ];
    // The suggested category is in use, so bob sees it.
    await draw(image, [100, 80, 60, 40], third);
    await suggest(first, other);
    await suggest(second, third);
    await suggest(last, third);
    const kind = "unlikelyCategory";
    const listed = async (query = "") => (await ann.get(path(`/findings?kind=${kind}${query}`))).body;
    expect((await listed()).suggested).toMatchObject([
      { id: third, found: 2 },
      { id: other, found: 1 },
    ]);
    expect((await listed(`&likely=${other}`)).findings).toMatchObject([{ annotation: { id: first } }]);
    const categories = async () => (await Promise.all([first, second, last].map(rowOf))).map((row) => row.category_id);
    expect((await ann.post(path("/fix"), { kind, likely: third, total: 3 })).status).toBe(409);
    const all = await run("/fix", { kind, likely: third, total: 2 }, bob);
    expect(all).toMatchObject({ fixed: 2, kept: 0 });
    expect(await categories()).toEqual([category, third, third]);
    const [left] = (await listed()).findings;
    const one = await run("/fix", { kind, ids: [left.id] });
    expect(await categories()).toEqual([other, third, third]);
    expect((await quality()).kinds).toEqual([]);
    await ann.put(`annotation/${last}`, { category_id: category });
    expect(await run("/undo", { undo: all.undo }, bob)).toMatchObject({ restored: 1 });
    expect(await categories()).toEqual([other, category, category]);
    expect(await run("/undo", { undo: one.undo })).toMatchObject({ restored: 1 });
    expect(await categories()).toEqual([category, category, category]);
  });

  it("keeps the category if the suggested category was deleted", async () => {
    const gone = (await ann.post("category/", { name: `gone ${number}` })).body.id;
    const image = await addImage(await picture(13));
    const drawn = await draw(image, [20, 20, 60, 40]);
    await suggest(drawn, gone);
    await ann.delete(`category/${gone}`);
    const outcome = await run("/fix", { kind: "unlikelyCategory", total: 1 });
    expect(outcome).toMatchObject({ fixed: 0, kept: 1, undo: null });
    expect((await rowOf(drawn)).category_id).toBe(category);
  });

  it("refuses to fix a kind without a fix", async () => {
    expect((await ann.post(path("/fix"), { kind: "leak", total: 0 })).status).toBe(400);
    expect((await ann.post(path("/fix"), { kind: "duplicate" })).status).toBe(400);
  });
});
