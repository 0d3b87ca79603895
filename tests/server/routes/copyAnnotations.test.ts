import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { COPY_LIMITS, pagesToCopy } from "../../../server/features/annotations/copySource";
import { toRle } from "../../../shared/coco/rle";
import { NO_KEYPOINTS } from "../../../shared/entities/keypoint";
import { toStored } from "../../../shared/rules/keypointDefinition";
import { describeOnDatabases } from "../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnDatabases("copying annotations", (open, kind) => {
  let server: TestServer;
  let ann: TestUser;
  let mia: TestUser;
  let eve: TestUser;
  let cat: number;
  let dog: number;
  let datasetId: number;
  let from: number;
  let to: number;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    mia = await server.user("mia");
    eve = await server.user("eve");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    cat = await seedCategory(server.db, ann.id);
    dog = await seedCategory(server.db, ann.id);
    datasetId = await seedDataset(server.db, { ownerId: ann.id, members: [mia.id], categories: [cat, dog] });
    from = await seedImage(server.db, datasetId);
    to = await seedImage(server.db, datasetId);
  });

  const square = [10, 10, 30, 10, 30, 30, 10, 30];
  const make = async (more: object) => {
    const answer = await ann.post("annotation/", { image_id: from, category_id: cat, ...more });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const copy = (body: object = {}, who = ann) => who.post(`image/copy/${from}/${to}/annotations`, body);
  const stored = (imageId: number) =>
    server.db.selectFrom("annotations").selectAll().where("image_id", "=", imageId).orderBy("id").execute();
  const image = (id: number) =>
    server.db.selectFrom("images").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const resize = (id: number, width: number, height: number) =>
    server.db.updateTable("images").set({ width, height }).where("id", "=", id).execute();

  test("shape, keypoints, colour, metadata and category are copied; uuid, number and creator are new", async () => {
    const definition = toStored(NO_KEYPOINTS, { labels: ["nose", "ear"] });
    await server.db
      .updateTable("categories")
      .set({ keypoints: JSON.stringify(definition) })
      .where("id", "=", cat)
      .execute();
    await make({ rings: [[square, [15, 15, 20, 15, 20, 20]]], color: "#abcdef", metadata: { name: "Tom", n: 1 } });
    await make({ segmentation: [square, [50.25, 50, 60, 50, 60, 60.125]], keypoints: [1, 2, 2, 0, 0, 0, 7, 8, 1] });
    await make({ segmentation: { size: [480, 640], counts: [0, 960, 480 * 640 - 960] }, iscrowd: 1 });
    await make({ isbbox: true, bbox: [10.5, 20, 30, 40], category_id: dog });

    const answer = await copy({}, mia);
    expect([answer.status, answer.body]).toEqual([200, { annotations_created: 4 }]);
    const sources = await stored(from);
    const copies = await stored(to);
    const kept = (row: (typeof copies)[number]) => {
      const { category_id, shape, area, bbox, iscrowd, isbbox, color, metadata, keypoints, extra } = row;
      return { category_id, shape, area, bbox, iscrowd, isbbox, color, metadata, keypoints, extra };
    };
    expect(copies.map(kept)).toEqual(sources.map(kept));
    expect(copies.every(({ creator_id, creator_name }) => creator_id === mia.id && creator_name === "mia")).toBe(true);
    expect(new Set([...sources, ...copies].map(({ uuid }) => uuid)).size).toBe(8);
    expect(copies.every(({ revision, milliseconds }) => revision === 1 && milliseconds === 0)).toBe(true);
    expect(await image(to)).toMatchObject({ num_annotations: 4, annotated: true });
    expect((await image(from)).num_annotations).toBe(4);
  });

  test("only the chosen categories are copied, and an empty list copies nothing", async () => {
    await make({ segmentation: [square] });
    await make({ segmentation: [square], category_id: dog });
    const before = await image(to);
    expect((await copy({ category_ids: [] })).body).toEqual({ annotations_created: 0 });
    expect(await image(to)).toEqual(before);
    expect((await copy({ category_ids: [dog, 999_999] })).body).toEqual({ annotations_created: 1 });
    expect((await stored(to)).map((row) => row.category_id)).toEqual([dog]);
    expect((await copy({ category_ids: null })).body).toEqual({ annotations_created: 2 });
  });

  test("empty, deleted and incompletely imported annotations are not copied", async () => {
    await make({});
    const deleted = await make({ segmentation: [square] });
    await ann.delete(`annotation/${deleted.id}`);
    const hidden = await seedAnnotation(server.db, from, cat);
    await server.db
      .updateTable("annotations")
      .set({ visible: false, shape: JSON.stringify([square]), area: 400 })
      .where("id", "=", hidden)
      .execute();
    expect((await copy()).body).toEqual({ annotations_created: 0 });
    expect(await stored(to)).toEqual([]);
  });

  test("the image's revision rises once, and clients that have it open are asked to load it again", async () => {
    for (let i = 0; i < 3; i++) await make({ segmentation: [square] });
    const { revision } = await image(to);
    await copy();
    expect((await image(to)).revision).toBe(revision + 1);
    const news = (await ann.get(`annotator/edits/${to}?since=${revision}`)).body;
    expect(news).toMatchObject({ revision: revision + 1, reload: true });
    // A copy is an ordinary annotation.
    const [first] = await stored(to);
    expect((await ann.put(`annotation/${first?.id}`, { color: "#123456" })).body.revision).toBe(2);
  });

  test("two users who copy at once both get their copies, and the count is right", async () => {
    for (let i = 0; i < 3; i++) await make({ segmentation: [square] });
    const answers = await Promise.all([copy(), copy({}, mia), copy(), copy({}, mia)]);
    expect(answers.map(({ body }) => body.annotations_created)).toEqual([3, 3, 3, 3]);
    expect(await stored(to)).toHaveLength(12);
    expect((await image(to)).num_annotations).toBe(12);
  });

  test("an image is not copied into itself", async () => {
    await make({ segmentation: [square] });
    const answer = await ann.post(`image/copy/${from}/${from}/annotations`, {});
    expect([answer.status, answer.body.message]).toEqual([400, "Cannot copy self"]);
    expect(await stored(from)).toHaveLength(1);
  });

  test("images of different sizes are refused with their sizes, unless the shapes may be scaled", async () => {
    await resize(to, 1280, 240);
    const keypoints = toStored(NO_KEYPOINTS, { labels: ["nose"] });
    await server.db
      .updateTable("categories")
      .set({ keypoints: JSON.stringify(keypoints) })
      .where("id", "=", cat)
      .execute();
    await make({ segmentation: [square], keypoints: [10, 20, 2, 30, 40, 1] });
    await make({ rings: [[square]] });
    await make({ segmentation: { size: [480, 640], counts: [0, 960, 480 * 640 - 960] }, iscrowd: 1 });
    await make({ isbbox: true, bbox: [10, 20, 30, 40] });
    await make({ keypoints: [100, 200, 2] });
    const refused = await copy();
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/^Image sizes do not match: 640 x 480 and 1280 x 240\./);
    expect(await stored(to)).toEqual([]);

    expect((await copy({ scale: true })).body).toEqual({ annotations_created: 5 });
    const wide = [20, 5, 60, 5, 60, 15, 20, 15];
    const rows = (await stored(to)).map(({ shape, area, bbox, iscrowd, isbbox, keypoints, extra }) => {
      return { shape, area, bbox, iscrowd, isbbox, points: keypoints?.map(({ x, y, v }) => [x, y, v]), extra };
    });
    expect(rows).toEqual([
      expect.objectContaining({
        shape: [wide],
        area: 400,
        bbox: [20, 5, 40, 10],
        points: [[20, 10, 2]],
        extra: { keypoints: [60, 20, 1] },
      }),
      expect.objectContaining({ shape: { rings: [[wide]] }, area: 400, bbox: [20, 5, 40, 10] }),
      expect.objectContaining({ iscrowd: true, area: 960, bbox: [0, 0, 4, 240] }),
      expect.objectContaining({ shape: null, isbbox: true, bbox: [20, 10, 60, 20], area: 1200 }),
      expect.objectContaining({ shape: null, bbox: [200, 100, 0, 0], points: [[200, 100, 2]] }),
    ]);
    expect(rows[2]?.shape).toHaveProperty("rings");
  });

  test("a copy to another dataset adds its categories, and that dataset's settings do not change the copies", async () => {
    await make({ segmentation: [square], metadata: { weather: "wet" } });
    await make({ segmentation: [square], category_id: dog });
    const otherDataset = await seedDataset(server.db, { ownerId: mia.id });
    to = await seedImage(server.db, otherDataset);
    await mia.post(`dataset/${otherDataset}`, { default_annotation_metadata: { weather: "dry", x: "" } });
    expect((await copy({ category_ids: [cat] }, mia)).body).toEqual({ annotations_created: 1 });
    const listed = await server.db
      .selectFrom("dataset_categories")
      .select("category_id")
      .where("dataset_id", "=", otherDataset)
      .execute();
    expect(listed.map((row) => row.category_id)).toEqual([cat]);
    expect((await stored(to))[0]?.metadata).toEqual({ weather: "wet" });
  });

  test("a category that the user may not use is skipped", async () => {
    const own = await seedCategory(server.db, eve.id);
    const alien = await seedAnnotation(server.db, from, own);
    await server.db
      .updateTable("annotations")
      .set({ shape: JSON.stringify([square]), area: 400 })
      .where("id", "=", alien)
      .execute();
    await make({ segmentation: [square] });
    expect((await copy({}, mia)).body).toEqual({ annotations_created: 1 });
    expect((await stored(to)).map((row) => row.category_id)).toEqual([cat]);
  });

  test("both images must be visible to the user", async () => {
    await make({ segmentation: [square] });
    const hers = await seedDataset(server.db, { ownerId: eve.id });
    const herImage = await seedImage(server.db, hers);
    for (const [a, b] of [
      [from, to],
      [from, herImage],
      [herImage, to],
      [from, from],
    ])
      expect((await eve.post(`image/copy/${a}/${b}/annotations`, {})).status, `${a} ${b}`).toBe(404);
    expect(await stored(herImage)).toEqual([]);
    for (const path of [`image/copy/${from}/0/annotations`, `image/copy/x/${to}/annotations`])
      expect((await ann.post(path, {})).status, path).toBe(404);
    await server.db.updateTable("images").set({ deleted_at: new Date() }).where("id", "=", from).execute();
    expect((await copy()).status).toBe(404);
    expect((await server.visitor().post(`image/copy/${from}/${to}/annotations`, {})).status).toBe(401);
  });

  test("five thousand annotations, more than a page, are copied at once", async () => {
    await server.db
      .insertInto("annotations")
      .values(
        Array.from({ length: 2500 }, (_, i) => ({
          image_id: from,
          category_id: i % 2 ? cat : dog,
          color: "#336699",
          shape: JSON.stringify([square.map((value) => value + (i % 100))]),
          area: 400,
        })),
      )
      .execute();
    await server.db
      .insertInto("annotations")
      .columns(["image_id", "category_id", "color", "shape", "area"])
      .expression((eb) =>
        eb
          .selectFrom("annotations")
          .select(["image_id", "category_id", "color", "shape", "area"])
          .where("image_id", "=", from),
      )
      .execute();
    expect((await copy()).body).toEqual({ annotations_created: 5000 });
    const [sources, copies] = [await stored(from), await stored(to)];
    expect(copies.map(({ category_id, shape }) => [category_id, shape])).toEqual(
      sources.map(({ category_id, shape }) => [category_id, shape]),
    );
    expect((await image(to)).num_annotations).toBe(5000);
  });

  test("more annotations than may be copied at once are refused, and fewer categories succeed", async () => {
    await sql`insert into annotations (image_id, category_id, color, shape, area)
      select ${from}::int, ${cat}::int, '#336699', '[[1, 1, 9, 1, 9, 9]]', 32
      from generate_series(1, ${COPY_LIMITS.rows + 1})`.execute(server.db);
    await make({ segmentation: [square], category_id: dog });
    for (const scale of [false, true]) {
      const answer = await copy({ scale });
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/20000.*Choose categories/)]);
    }
    expect(await stored(to)).toEqual([]);
    expect((await copy({ category_ids: [dog] })).body).toEqual({ annotations_created: 1 });
  });

  test("more coordinates than may be copied at once are refused, and pages are limited by number and by size", async () => {
    for (let i = 0; i < 5; i++) await make({ segmentation: [square] });
    const ids = (await stored(from)).map(({ id }) => id);
    const pages = (limits: object) => pagesToCopy(server.db, from, [cat], { ...COPY_LIMITS, ...limits });
    expect(await pages({})).toEqual([ids]);
    expect(await pages({ pageRows: 2 })).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(await pages({ pageBytes: 1 })).toEqual(ids.map((id) => [id]));
    await expect(pages({ length: 140 })).rejects.toMatchObject({ status: 400, message: /Choose categories/ });
    await expect(pages({ length: 140, pageRows: 1 })).rejects.toMatchObject({ status: 400 });
    await expect(pages({ rows: 4 })).rejects.toMatchObject({ status: 400, message: /Choose categories/ });
    expect(await pages({ rows: 5 })).toEqual([ids]);
  });

  test("a mask whose outline is too long for an edit is not scaled", async () => {
    await resize(to, 1280, 960);
    const alternating = Array.from({ length: 640 }, (_, x) =>
      x % 2 ? [480] : Array.from({ length: 480 }, () => 1),
    ).flat();
    const runs = alternating.reduce<number[]>((list, run) => {
      // A complete column of background is merged with the background pixel before it.
      if (run === 480) list[list.length - 1] = (list.at(-1) ?? 0) + 480;
      else list.push(run);
      return list;
    }, []);
    // Columns of single pixels: 1 unset, 1 set, and so on, then an unset column.
    const even = runs.length % 2 === 0 ? runs : [...runs, 0];
    const total = even.reduce((sum, run) => sum + run, 0);
    expect(total).toBe(640 * 480);
    const id = await seedAnnotation(server.db, from, cat);
    await server.db
      .updateTable("annotations")
      .set({ shape: JSON.stringify(toRle(even, 640, 480, true)), area: 76_800 })
      .where("id", "=", id)
      .execute();
    const answer = await copy({ scale: true });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/200000 coordinates/)]);
    expect(await stored(to)).toEqual([]);
  });

  // The embedded database admits no other query during a transaction.
  if (kind === "server")
    test("a shape that changes while a copy waits for the image is scaled again", async () => {
      await resize(to, 1280, 960);
      const { id } = await make({ rings: [[square]] });
      const isWaiting = async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db);
        return rows.length > 0;
      };
      const trx = await server.db.startTransaction().execute();
      await sql`select from images where id = ${to} for update`.execute(trx);
      const copied = copy({ scale: true });
      await expect.poll(isWaiting).toBe(true);
      const moved = [[square.map((value) => value + 100)]];
      expect((await ann.put(`annotation/${id}`, { rings: moved })).status).toBe(200);
      await trx.commit().execute();
      expect((await copied).body).toEqual({ annotations_created: 1 });
      expect((await stored(to)).map(({ bbox }) => bbox)).toEqual([[220, 220, 40, 40]]);
    });
});
