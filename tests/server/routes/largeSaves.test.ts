import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { fromPaperJson } from "../../../shared/geometry/paperJson";
import { describeOnDatabases } from "../../support/databases";
import { seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

/** Whole states saved by older clients, large enough for threads to read and compare them. */
describeOnDatabases("large saves of older clients", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let imageId: number;
  let categoryId: number;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    return () => server.close();
  });
  beforeEach(async () => {
    categoryId = await seedCategory(server.db, ann.id);
    const dataset = await seedDataset(server.db, { ownerId: ann.id, categories: [categoryId] });
    imageId = await seedImage(server.db, dataset);
  });

  const make = async (ring: number[]): Promise<number> => {
    const body = { image_id: imageId, category_id: categoryId, segmentation: [ring] };
    return (await ann.post("annotation/", body)).body.id;
  };
  const makeAll = async (rings: number[][]) => {
    const ids: number[] = [];
    for (const ring of rings) ids.push(await make(ring));
    return ids;
  };
  const save = (annotations: object[]) =>
    ann.post("annotator/data", { image: { id: imageId }, categories: [{ id: categoryId, annotations }] });
  const annotation = async (id: number) => (await ann.get(`annotation/${id}`)).body;
  const path = (segments: unknown[]) => ["CompoundPath", { children: [["Path", { segments, closed: true }]] }];
  /** Returns an outline with many points, of which simplifying drops none. */
  const combOutline = (points: number, seed: number): number[] =>
    Array.from({ length: points }, (_, i) => [10 + i / 8, 20 + (i % 2) * (100 + seed + i / 40)]).flat();
  const centred = (ring: number[]) =>
    Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]! - 320, ring[2 * i + 1]! - 240]);
  /** Returns an outline that crosses the image with each of its lines. */
  const zigzag = (points: number) => Array.from({ length: points }, (_, i) => [i % 2 ? 320 : -320, i / 200 - 150]);
  const triangle = [10, 10, 60, 10, 60, 60];

  test("a save with long outlines is stored like a short one", async () => {
    const ids = await makeAll(Array.from({ length: 8 }, () => triangle));
    const paths = ids.map((_, i) => path(centred(combOutline(3_000, i))));
    expect((await save(ids.map((id, i) => ({ id, compoundPath: paths[i] })))).body).toMatchObject({ success: true });
    for (const [i, id] of ids.entries()) {
      const { rings, revision, area } = await annotation(id);
      expect(rings).toEqual(fromPaperJson(paths[i], 640, 480));
      expect([revision, area > 0]).toEqual([2, true]);
    }
  });

  test("a save of many points is stored in several transactions, each annotation once, and the rest with the last", async () => {
    const ids = await makeAll(Array.from({ length: 4 }, () => triangle));
    const paths = ids.map((_, i) => path(centred(combOutline(15_000, i))));
    const annotations = [
      ...ids.map((id, i) => ({ id, compoundPath: paths[i] })),
      { id: ids[0], compoundPath: paths[1] },
    ];
    const { body } = await ann.post("annotator/data", {
      image: { id: imageId, metadata: { seen: true } },
      categories: [{ id: categoryId, color: "#123456", annotations }],
    });
    expect(body).toMatchObject({ success: true });
    for (const [i, id] of ids.entries())
      expect(await annotation(id)).toMatchObject({ revision: 2, rings: fromPaperJson(paths[i], 640, 480) });
    const stored = await server.db
      .selectFrom("annotations")
      .select(sql<string>`xmin::text`.as("written"))
      .where("image_id", "=", imageId)
      .execute();
    expect(new Set(stored.map(({ written }) => written)).size).toBe(4);
    const image = await server.db.selectFrom("images").selectAll().where("id", "=", imageId).executeTakeFirstOrThrow();
    expect(image).toMatchObject({ metadata: { seen: true }, revision: 11 });
    const category = await server.db
      .selectFrom("categories")
      .select(["color", "revision"])
      .where("id", "=", categoryId)
      .executeTakeFirstOrThrow();
    expect(category).toEqual({ color: "#123456", revision: 2 });
  });

  test("long outlines that are sent back unchanged cause no change", async () => {
    const ids = await makeAll(Array.from({ length: 6 }, (_, i) => combOutline(3_000, i)));
    const { categories } = (await ann.get(`annotator/data/${imageId}`)).body;
    const sent: { id: number; paper_object: unknown }[] = categories.flatMap(
      (category: { annotations: [] }) => category.annotations,
    );
    expect(sent).toHaveLength(6);
    const answer = await save(sent.map(({ id, paper_object }) => ({ id, compoundPath: paper_object })));
    expect(answer.status).toBe(200);
    for (const id of ids) expect((await annotation(id)).revision).toBe(1);
  });

  test("many paths are nested into polygons with holes", async () => {
    const [id = 0] = await makeAll([triangle]);
    const square = (x: number, y: number, side: number) => [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
    ];
    const children = Array.from({ length: 900 }, (_, i) => {
      const [x, y] = [(Math.floor(i / 2) % 30) * 20 - 310, Math.floor(i / 60) * 20 - 230];
      return ["Path", { segments: i % 2 ? square(x + 2, y + 2, 8) : square(x, y, 15), closed: true }];
    });
    const compound = ["CompoundPath", { children }];
    expect((await save([{ id, compoundPath: compound }])).status).toBe(200);
    const { rings } = await annotation(id);
    expect(rings).toHaveLength(450);
    expect(rings).toEqual(fromPaperJson(compound, 640, 480));
  });

  test("curves that expand to many points are read by a thread, and refused if there are too many", async () => {
    const curves = (count: number) =>
      path(
        Array.from({ length: count }, (_, i) => [
          [i, (i * 37) % 100],
          [-400_000, 300_000],
          [400_000, -300_000],
        ]),
      );
    const [id = 0] = await makeAll([triangle]);
    const compound = curves(12);
    expect((await save([{ id, compoundPath: compound }])).status).toBe(200);
    const { rings } = await annotation(id);
    expect(rings.flat(2).length).toBeGreaterThan(20_000);
    expect(rings).toEqual(fromPaperJson(compound, 640, 480));
    const many = Array.from({ length: 40 }, (_, i) => ({ id: id + i, compoundPath: curves(40) }));
    expect((await save(many)).status).toBe(413);
    expect((await annotation(id)).revision).toBe(2);
  });

  test("an unreadable path is 400 with its annotation, and nothing is stored", async () => {
    const ids = await makeAll([triangle, triangle]);
    const good = path(centred(combOutline(6_000, 1)));
    const answer = await save([
      { id: ids[0], compoundPath: good },
      { id: ids[1], compoundPath: ["Circle", {}] },
    ]);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe(
      `The compoundPath of annotation ${ids[1]} is not readable: Only Path and CompoundPath are supported`,
    );
    for (const id of ids) expect((await annotation(id)).revision).toBe(1);
  });

  test.each<[string, { last?: object; category?: object; dataset?: object; message: string }]>([
    ["outline", { last: { compoundPath: ["Circle", {}] }, message: "The compoundPath of annotation" }],
    [
      "outline that cannot be measured",
      { last: { compoundPath: path(zigzag(60_000)) }, message: "crosses the image too often" },
    ],
    ["list of keypoints", { last: { keypoints: [1, 2, 5] }, message: "Visibility is" }],
    ["list of labels", { category: { keypoint_labels: ["tip", "tip"] }, message: "Duplicate keypoint label" }],
    ["annotate URL", { dataset: { annotate_url: "https://elsewhere.example" }, message: "is not allowed" }],
  ])("a save of many points with a refused %s is refused before any of it is stored", async (_, refused) => {
    const ids = await makeAll(Array.from({ length: 3 }, () => triangle));
    const large = ids.slice(1).map((id, i) => ({ id, compoundPath: path(centred(combOutline(15_000, i))) }));
    const { status, body } = await ann.post("annotator/data", {
      image: { id: imageId, metadata: { seen: true } },
      categories: [{ id: categoryId, ...refused.category, annotations: [...large, { id: ids[0], ...refused.last }] }],
      ...(refused.dataset && { dataset: refused.dataset }),
    });
    expect([status, body.message]).toEqual([400, expect.stringContaining(refused.message)]);
    for (const id of ids) expect((await annotation(id)).revision).toBe(1);
  });

  test("only the first sessions are counted if there are more than one user can have", async () => {
    const ids = await makeAll([triangle, triangle]);
    const sessions = Array.from({ length: 6_000 }, (_, i) => ({
      start: 1_700_000_000_000 + i * 1000,
      milliseconds: 500,
      tools: ["Brush"],
    }));
    expect((await save(ids.map((id) => ({ id, sessions })))).status).toBe(200);
    const times = await Promise.all(ids.map(async (id) => (await annotation(id)).milliseconds));
    expect(times).toEqual([3_000_000, 2_000_000]);
  });
});
