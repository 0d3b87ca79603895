import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { getOutlines } from "../../../../shared/api/datasets/outlines";
import type { getManifest, getScenes } from "../../../../shared/api/offline";
import type { OutputOf } from "../../../../shared/api/protocol/call";
import { datasetCoco, imageCoco } from "../../../../web/offline/answers/coco";
import type { LocalData } from "../../../../web/offline/answers/localData";
import { outlineAnswers } from "../../../../web/offline/answers/scenes";
import type { LocalScene } from "../../../../web/offline/answers/shown";
import { localStatistics } from "../../../../web/offline/answers/statistics";
import { exportOf, importFile, polygon, readCoco, seedImages } from "../../../support/coco";
import { describeOnOneDatabase } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedDataset } from "../../../support/factories";
import { findSamples } from "../../../support/samples";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

/** Local answers on manifest and scenes, compared with the server's on the rows themselves. */
describeOnOneDatabase("COCO, statistics and outlines of a copy", (open) => {
  let server: TestServer;
  let ann: TestUser;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
  });
  afterAll(() => server.close());

  async function copyOf(datasetId: number) {
    const manifest: OutputOf<typeof getManifest> = (await ann.get(`dataset/${datasetId}/manifest`)).body;
    const ids = manifest.images.map(({ id }) => id);
    const scenes: LocalScene[] = [];
    for (let from = 0; from < ids.length; from += 200) {
      const { body } = await ann.post(`dataset/${datasetId}/scenes`, { ids: ids.slice(from, from + 200) });
      scenes.push(...(body as OutputOf<typeof getScenes>).scenes);
    }
    return { ...manifest, scenes };
  }

  async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
    yield* items;
  }

  async function expectSameCoco(datasetId: number): Promise<void> {
    const { dataset, categories, scenes } = await copyOf(datasetId);
    const local = async (options = {}) =>
      JSON.parse(await (await datasetCoco(dataset, categories, each(scenes), options)).text());
    const [first] = categories;
    for (const [query, options] of [
      ["", {}],
      ["?with_empty_images=true", { withEmptyImages: true }],
      ["?segmentation=polygon", { segmentation: "polygon" }],
      ["?segmentation=rle", { segmentation: "rle" }],
      ["?folder=sub", { folder: "sub/" }],
      [`?categories=${first?.id}`, { categories: [first?.id] }],
    ] as const) {
      const [{ info, ...theirs }, { info: own, ...mine }] = [
        await exportOf(ann, datasetId, query),
        await local(options),
      ];
      expect(mine, query).toEqual(theirs);
      expect(own.description).toBe(info.description);
    }
    for (const scene of scenes.slice(0, 10))
      expect(imageCoco(scene, categories)).toEqual((await ann.get(`image/${scene.image.id}/coco`)).body);
  }

  async function expectSameStatistics(datasetId: number): Promise<void> {
    const { dataset, categories, scenes } = await copyOf(datasetId);
    const { body } = await ann.get(`dataset/${datasetId}/stats`);
    expect(await localStatistics(dataset, categories, each(scenes), "ann")).toEqual(body);
  }

  async function expectSameOutlines(datasetId: number): Promise<void> {
    const { categories, scenes } = await copyOf(datasetId);
    const ids = scenes.map(({ image }) => image.id).slice(0, 100);
    const data = {
      dataset: async () => ({ categories }),
      images: async () => scenes.map(({ image }) => image),
      scene: async (id: number) => scenes.find(({ image }) => image.id === id),
    } as unknown as LocalData;
    const [answer] = outlineAnswers(data);
    const mine = (await answer?.find({ params: { id: datasetId }, query: { ids } })) as OutputOf<typeof getOutlines>;
    const { body } = await ann.get(`dataset/${datasetId}/outlines?ids=${ids}`);
    expect(mine.outlines).toEqual(body.outlines);
    expect(mine.categories).toEqual(expect.arrayContaining(body.categories));
  }

  test("local answers equal the server's for official COCO files", async () => {
    const samples = findSamples();
    for (const path of [samples?.instances, samples?.keypoints]) {
      if (!path) continue;
      const file = await readCoco(path);
      const datasetId = await seedDataset(server.db, { ownerId: ann.id });
      await seedImages(server, datasetId, file.images as never);
      await importFile(server, ann, datasetId, await readFile(path, "utf8"));
      await expectSameCoco(datasetId);
      await expectSameStatistics(datasetId);
      await expectSameOutlines(datasetId);
    }
  });

  test("local answers equal the server's for every kind of shape, unknown keys and deleted categories", async () => {
    const listed = await seedCategory(server.db, ann.id);
    const datasetId = await seedDataset(server.db, { ownerId: ann.id, categories: [listed] });
    const images = ["a.jpg", "sub/b.jpg", "sub/c.jpg", "empty.jpg"].map((file_name, i) => ({
      ...{ id: i + 1, file_name, width: 640, height: 480 },
      ...(i === 0 && { license: 1, coco_url: "https://example.org/1" }),
    }));
    await seedImages(server, datasetId, images);
    const item = (id: number, more: object) => ({ id, image_id: 1 + (id % 3), category_id: 1 + (id % 2), ...more });
    const ring = polygon(3, 20);
    await importFile(server, ann, datasetId, {
      licenses: [{ id: 1, name: "free" }],
      images,
      categories: [
        { id: 1, name: "thing", wordnet: "n01" },
        { id: 2, name: "person", keypoints: ["nose", "ear"], skeleton: [[1, 2]] },
      ],
      annotations: [
        item(1, { segmentation: [ring], bbox: [1, 2, 3, 4], area: 12.5, iscrowd: 0, truncated: true, tags: ["x y"] }),
        item(2, { segmentation: [ring, polygon(9, 8)], bbox: [1, 2, 3, 4], area: 9, iscrowd: 1 }),
        item(3, { bbox: [5.5, 6, 70, 80], area: 5600, iscrowd: 0 }),
        item(4, {
          segmentation: { size: [480, 640], counts: [1000, 50, 306_150] },
          bbox: [2, 40, 1, 50],
          area: 50,
          iscrowd: 1,
        }),
        item(5, { keypoints: [10, 20, 2, 0, 0, 0], num_keypoints: 1, bbox: [10, 20, 0, 0], area: 0, iscrowd: 0 }),
        item(7, {
          segmentation: [ring],
          keypoints: [10, 20, 2, 30, 40, 1, 7, 8, 2],
          num_keypoints: 3,
          bbox: [1, 2, 3, 4],
          area: 7,
        }),
      ],
    });
    const rows = await server.db
      .selectFrom("images")
      .select("id")
      .where("dataset_id", "=", datasetId)
      .orderBy("id")
      .execute();
    const imageId = rows[0]?.id ?? 0;
    const hole = { rings: [[polygon(5, 30), [120, 100, 125, 100, 125, 105]]] };
    for (const values of [
      { shape: JSON.stringify(hole), area: 4000, bbox: "[60,60,90,90]" },
      { shape: JSON.stringify(hole), area: 4000, bbox: "[60,60,90,90]", iscrowd: true },
      { shape: JSON.stringify({ rings: [[ring]] }), area: 3000, bbox: "[60,60,90,90]", isbbox: true },
      { isbbox: true, bbox: "[1,2,30,40]", creator_name: "zoe" },
      { metadata: '{"a":1}', area: 1, creator_name: "system" },
      {},
    ]) {
      const id = await seedAnnotation(server.db, imageId, listed);
      if (Object.keys(values).length > 0)
        await server.db.updateTable("annotations").set(values).where("id", "=", id).execute();
    }
    const deleted = await seedCategory(server.db, ann.id);
    const inDeleted = await seedAnnotation(server.db, imageId, deleted);
    await server.db.updateTable("annotations").set({ area: 5 }).where("id", "=", inDeleted).execute();
    await server.db.updateTable("categories").set({ deleted_at: new Date() }).where("id", "=", deleted).execute();
    await expectSameCoco(datasetId);
    const { dataset, categories, scenes } = await copyOf(datasetId);
    const copied = scenes.flatMap(({ annotations }) => annotations);
    expect(new Set(copied.map(({ stored }) => stored))).toEqual(new Set([undefined, "list", "absent", "box"]));
    expect(copied.map(({ extra }) => extra?.tags)).toContainEqual(["x y"]);
    expect(categories.map(({ extra }) => extra?.wordnet)).toContain("n01");
    const local = await localStatistics(dataset, categories, each(scenes), "ann");
    const { body } = await ann.get(`dataset/${datasetId}/stats`);
    // Only the server knows which names are of deleted accounts.
    const byUser = body.by_user.map((user: { username: string }) => ({
      ...user,
      account: user.username !== "system" && user.username !== "",
    }));
    expect({ ...local, users: {}, by_user: sorted(local.by_user) }).toEqual({
      ...body,
      users: {},
      by_user: sorted(byUser),
    });
  });

  const sorted = <T extends { username: string }>(users: readonly T[]) =>
    [...users].sort((a, b) => (a.username < b.username ? -1 : 1));
});
