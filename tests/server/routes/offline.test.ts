import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AnnotatorScene } from "../../../shared/api/annotator";
import { type CopiedScene, MAX_SCENES, type ManifestImage, type SceneCategory } from "../../../shared/api/offline";
import { describeOnDatabases, type TestDatabase } from "../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnDatabases("copies of datasets", (open) => {
  let database: TestDatabase;
  let server: TestServer;
  let ann: TestUser;
  let mia: TestUser;
  let eve: TestUser;
  let datasetId: number;
  let listed: number;
  beforeAll(async () => {
    database = await open();
    server = await startServer(database);
    ann = await server.user("ann");
    mia = await server.user("mia");
    eve = await server.user("eve");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    listed = await seedCategory(server.db, ann.id);
    datasetId = await seedDataset(server.db, { ownerId: ann.id, members: [mia.id], categories: [listed] });
  });

  const manifestOf = async (user: TestUser) => (await user.get(`dataset/${datasetId}/manifest`)).body;
  const askScenes = (user: TestUser, ids: unknown, more = {}) =>
    user.post(`dataset/${datasetId}/scenes`, { ids }, more);
  const scenesOf = async (ids: readonly number[], user = ann) =>
    (await askScenes(user, ids)).body as { scenes: CopiedScene[]; missing: number[] };

  async function addAnnotation(imageId: number, values: Record<string, unknown> = {}): Promise<number> {
    const id = await seedAnnotation(server.db, imageId, listed);
    if (Object.keys(values).length > 0)
      await server.db.updateTable("annotations").set(values).where("id", "=", id).execute();
    return id;
  }

  const trash = (table: "images" | "categories" | "annotations", id: number) =>
    server.db.updateTable(table).set({ deleted_at: new Date() }).where("id", "=", id).execute();

  test("are for owner, members and admins, and absent for other users", async () => {
    const imageId = await seedImage(server.db, datasetId);
    await addAnnotation(imageId);
    const root = await server.user(`root ${datasetId}`, { admin: true });
    for (const user of [ann, mia, root]) {
      expect((await manifestOf(user)).images).toHaveLength(1);
      expect((await scenesOf([imageId], user)).scenes).toHaveLength(1);
    }
    const message = "Invalid dataset id";
    expect(await eve.get(`dataset/${datasetId}/manifest`)).toMatchObject({ status: 404, body: { message } });
    expect(await askScenes(eve, [imageId])).toMatchObject({ status: 404, body: { message } });
    for (const path of [`dataset/${datasetId}/manifest`, `dataset/${datasetId}/scenes`]) {
      const method = path.endsWith("scenes") ? "POST" : "GET";
      expect(
        (await server.visitor().request(method, path, method === "POST" ? { json: { ids: [1] } } : {})).status,
      ).toBe(401);
    }
    const own = await seedDataset(server.db, { ownerId: eve.id });
    const foreign = await eve.post(`dataset/${own}/scenes`, { ids: [imageId] });
    expect(foreign.body).toEqual({ scenes: [], missing: [imageId] });
  });

  test("are for everybody while login is disabled", async () => {
    const imageId = await seedImage(server.db, datasetId);
    const everybody = await startServer(database, {
      env: { LOGIN_DISABLED: "true", DATA_DIR: server.env.DATA_DIR },
    });
    const { body } = await everybody.visitor().get(`dataset/${datasetId}/manifest`);
    expect(body).toMatchObject({ images: [{ id: imageId }], preferences: {} });
    const answer = await everybody.visitor().post(`dataset/${datasetId}/scenes`, { ids: [imageId] });
    expect(answer.body.scenes).toHaveLength(1);
    await everybody.close();
  });

  test("list each of thousands of images once, by id, without deleted ones", async () => {
    await sql`
      insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash)
      select ${datasetId}::int, 'a/' || n || '.jpg', 'a/', n || '.jpg', 640, 480, 'image/jpeg', n, 0, md5(n::text)
      from generate_series(1, 2400) n`.execute(server.db);
    const rows = await server.db
      .selectFrom("images")
      .select(["id", "path", "bytes", "hash", "revision"])
      .where("dataset_id", "=", datasetId)
      .orderBy("id")
      .execute();
    const { id: gone } = rows[1200] as (typeof rows)[0];
    await trash("images", gone);
    const { images }: { images: ManifestImage[] } = await manifestOf(ann);
    expect(images.map(({ id, path, bytes, hash, revision }) => ({ id, path, bytes, hash, revision }))).toEqual(
      rows.filter(({ id }) => id !== gone),
    );
  });

  test("describe listed, ticked and used categories, and deleted ones that still have annotations", async () => {
    const [used, ticked, deleted, tickedAndDeleted] = [
      await seedCategory(server.db, mia.id),
      await seedCategory(server.db, mia.id),
      await seedCategory(server.db, mia.id),
      await seedCategory(server.db, mia.id),
    ] as [number, number, number, number];
    await seedCategory(server.db, ann.id, `of no image of ${datasetId}`);
    const imageId = await seedImage(server.db, datasetId);
    for (const id of [used, deleted]) await seedAnnotation(server.db, imageId, id);
    const labels = [ticked, tickedAndDeleted];
    await server.db.updateTable("images").set({ labels }).where("id", "=", imageId).execute();
    for (const id of [deleted, tickedAndDeleted]) await trash("categories", id);
    const { categories, images } = (await manifestOf(ann)) as { categories: SceneCategory[]; images: ManifestImage[] };
    expect(categories.map(({ id }) => id)).toEqual([listed, used, ticked, deleted]);
    expect(categories.map(({ permissions }) => permissions.edit)).toEqual([true, false, false, false]);
    expect(images[0]?.category_ids).toEqual([used, ticked, deleted, tickedAndDeleted]);
  });

  test("contain the same as the annotator's scene, whatever the shape", async () => {
    const labels = [{ id: 3, name: "nose", color: "#ff0000" }];
    const keypoints = JSON.stringify({ labels, edges: [], removed: [{ id: 1, name: "ear", color: "#00ff00" }] });
    await server.db.updateTable("categories").set({ keypoints }).where("id", "=", listed).execute();
    const [first, second, empty] = [
      await seedImage(server.db, datasetId),
      await seedImage(server.db, datasetId, 'sub/élan "x".jpg'),
      await seedImage(server.db, datasetId),
    ] as [number, number, number];
    const metadata = JSON.stringify({ "a, b": "c: d", n: 1.5e-9 });
    const other = await seedCategory(server.db, mia.id);
    await server.db
      .updateTable("images")
      .set({ metadata, labels: [other, listed] })
      .where("id", "=", first)
      .execute();
    await addAnnotation(first, { shape: "[[1,2,3.5,4,5,6.25],[7,8,9,10,11,12]]", area: 9.5, bbox: "[1,2,3.5,4]" });
    await addAnnotation(first, { shape: '{"size":[480,640],"counts":"abc"}', iscrowd: true, metadata });
    await addAnnotation(first, { shape: '{"size":[2,2],"counts":[1,3]}', iscrowd: true });
    await addAnnotation(second, { shape: '{"rings":[[[0,0,9,0,9,9],[1,1,2,1,2,2]]]}', creator_name: 'a "b"' });
    await addAnnotation(second, { isbbox: true, bbox: "[0.0000001,2,3,4]" });
    const points = [{ label: 3, x: 1.25, y: 2, v: 2 }];
    await addAnnotation(second, { keypoints: JSON.stringify(points), category_id: other });
    const removed = await addAnnotation(second);
    await trash("annotations", removed);
    const { scenes, missing } = await scenesOf([second, empty, first]);
    expect(scenes.map(({ deleted }) => deleted)).toEqual([[[removed, 1]], undefined, undefined]);
    expect(missing).toEqual([]);
    const { dataset, categories, preferences } = await manifestOf(ann);
    for (const [at, id] of [second, empty, first].entries()) {
      const { body } = await ann.get(`annotator/data/${id}?shape=rings`);
      const { image, permissions, ...scene } = body as AnnotatorScene;
      const { annotating, previous, next, next_not_annotated, ...own } = image;
      expect(scenes[at]?.image).toEqual(own);
      const annotations = scene.categories.flatMap((category) => category.annotations);
      const copied = scenes[at]?.annotations.map(({ stored, ...annotation }) => annotation);
      expect(copied).toEqual(annotations.sort((a, b) => (a.id ?? 0) - (b.id ?? 0)));
      for (const { annotations: _, ...category } of scene.categories) expect(categories).toContainEqual(category);
      expect(dataset).toEqual({ ...scene.dataset, permissions: permissions.dataset });
      expect(preferences).toEqual(scene.preferences);
    }
  });

  test("return scenes in the requested order, each once, and name absent images", async () => {
    const [one, two, gone] = [
      await seedImage(server.db, datasetId),
      await seedImage(server.db, datasetId),
      await seedImage(server.db, datasetId),
    ] as [number, number, number];
    await trash("images", gone);
    const foreign = await seedImage(server.db, await seedDataset(server.db, { ownerId: ann.id }));
    const { scenes, missing } = await scenesOf([two, foreign, one, two, gone, 2_000_000_000]);
    expect(scenes.map(({ image }) => image.id)).toEqual([two, one]);
    expect(missing).toEqual([foreign, gone, 2_000_000_000]);
  });

  test("are read in several groups if images have many or large annotations", async () => {
    const ids: number[] = [];
    for (let i = 0; i < 6; i++) ids.push(await seedImage(server.db, datasetId));
    await sql`
      insert into annotations (image_id, category_id, color, isbbox, bbox)
      select id, ${listed}::int, '#336699', true, '[1,2,3,4]'::jsonb
      from unnest(${ids}::int[]) id, generate_series(1, case when id = ${ids[2]}::int then 1500 else 400 end)`.execute(
      server.db,
    );
    const counts = Array.from({ length: 150_000 }, (_, i) => (i * 7919) % 1_000_003);
    for (const id of ids.slice(3)) await addAnnotation(id, { shape: JSON.stringify({ size: [2, 2], counts }) });
    const { scenes } = await scenesOf(ids);
    expect(scenes.map(({ annotations }) => annotations.length)).toEqual([400, 400, 1500, 401, 401, 401]);
    for (const { image, annotations } of scenes) {
      expect(new Set(annotations.map(({ image_id }) => image_id))).toEqual(new Set([image.id]));
      expect(annotations.map(({ id }) => id)).toEqual(
        annotations.map(({ id }) => id).sort((a, b) => Number(a) - Number(b)),
      );
    }
    expect(scenes[5]?.annotations.at(-1)?.rle?.counts).toEqual(counts);
  });

  test("show an image and its annotations at the same moment while another user adds some", async () => {
    const imageId = await seedImage(server.db, datasetId);
    let isWriting = true;
    const write = async () => {
      for (let i = 0; i < 25; i++)
        await mia.post("annotation/", { image_id: imageId, category_id: listed, bbox: [1, 2, 3, 4], isbbox: true });
      isWriting = false;
    };
    const writing = write();
    const seen = new Set<number>();
    const start = (await scenesOf([imageId])).scenes[0]?.image.revision ?? 0;
    while (isWriting) {
      const [scene] = (await scenesOf([imageId])).scenes;
      expect(scene?.annotations).toHaveLength(scene?.image.num_annotations ?? -1);
      expect(scene?.image.revision).toBeGreaterThanOrEqual(start);
      seen.add(scene?.annotations.length ?? -1);
    }
    await writing;
    expect(seen.size).toBeGreaterThan(1);
    expect((await scenesOf([imageId])).scenes[0]?.annotations).toHaveLength(25);
  });

  test("refuse more than 200 images, none, and ids that are no ids", async () => {
    const many = Array.from({ length: MAX_SCENES + 1 }, (_, i) => i + 1);
    expect((await askScenes(ann, many)).status).toBe(400);
    expect((await askScenes(ann, many.slice(1))).status).toBe(200);
    for (const ids of [[], ["1"], [1.5], [0], [-1], [2 ** 31], [null], [[1]], "1", { 0: 1 }, null, [1e300]])
      expect((await askScenes(ann, ids)).status, JSON.stringify(ids)).toBe(400);
    for (const id of ["0", "x", "1;", "99999999999", "%00"]) {
      expect((await ann.get(`dataset/${id}/manifest`)).status, id).toBe(404);
      expect((await ann.post(`dataset/${id}/scenes`, { ids: [1] })).status, id).toBe(404);
    }
  });

  test("are compressed over a network, and not stored as the response of a command", async () => {
    const imageId = await seedImage(server.db, datasetId);
    for (let i = 0; i < 20; i++) await addAnnotation(imageId);
    const headers = { "X-Forwarded-For": "203.0.113.9", "Accept-Encoding": "br", "X-Limn-Command": "c".repeat(20) };
    const answer = await askScenes(ann, [imageId], { headers });
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(answer.body.scenes[0].annotations).toHaveLength(20);
    const stored = await server.db.selectFrom("commands").selectAll().execute();
    expect(stored.filter(({ key }) => key.includes("c".repeat(20)))).toEqual([]);
  });
});
