import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { invalidateCachedFigures } from "../../../../server/features/images/staleWhileRevalidate";
import { describeOnDatabases } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnDatabases("statistics of a dataset", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let mia: TestUser;
  let cat: number;
  let dog: number;
  let datasetId: number;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    mia = await server.user("mia");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    cat = await seedCategory(server.db, ann.id, `cat ${crypto.randomUUID()}`);
    dog = await seedCategory(server.db, ann.id, `dog ${crypto.randomUUID()}`);
    datasetId = await seedDataset(server.db, { ownerId: ann.id, members: [mia.id], categories: [cat, dog] });
  });

  const stats = async (who = ann, id = datasetId) => {
    invalidateCachedFigures(server.db, id);
    const answer = await who.get(`dataset/${id}/stats`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const nameOf = async (id: number) =>
    (await server.db.selectFrom("categories").select("name").where("id", "=", id).executeTakeFirstOrThrow()).name;
  /** Adds a box on an image of 640 x 480 pixels, with the area computed by the server. */
  const box = async (imageId: number, categoryId: number, bbox: number[], who = ann) => {
    const answer = await who.post("annotation/", {
      image_id: imageId,
      category_id: categoryId,
      segmentation: [rectangle(bbox)],
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.id as number;
  };
  const rectangle = ([x = 0, y = 0, w = 0, h = 0]: number[]) => [x, y, x + w, y, x + w, y + h, x, y + h];

  test("annotations, images, sizes and positions are counted by category and by user", async () => {
    const one = await seedImage(server.db, datasetId);
    const two = await seedImage(server.db, datasetId);
    await seedImage(server.db, datasetId);
    await box(one, cat, [0, 0, 10, 10]);
    await box(one, cat, [300, 200, 40, 80]);
    await box(two, cat, [600, 440, 40, 40], mia);
    await box(two, dog, [120, 40, 400, 400], mia);
    await seedAnnotation(server.db, two, dog);

    const found = await stats();
    expect(found.total).toEqual({
      Users: 2,
      Images: 3,
      "Annotated Images": 2,
      Annotations: 4,
      Categories: 2,
      "Time Annotating (s)": 0,
    });
    expect(found.average).toEqual({
      "Image Size (px)": 640,
      "Image Height (px)": 480,
      "Annotation Area (px)": (100 + 3200 + 1600 + 160_000) / 4,
      "Time (ms) per Image": 0,
      "Time (ms) per Annotation": 0,
    });
    const [catName, dogName] = [await nameOf(cat), await nameOf(dog)];
    expect(found.categories).toEqual({ [catName]: 3, [dogName]: 1 });
    expect(found.images_per_category).toEqual({ [catName]: 2, [dogName]: 1 });
    expect(found.users).toEqual({ ann: { annotations: 2, images: 1 }, mia: { annotations: 2, images: 1 } });
    expect(found.by_category.map(({ id, area }: { id: number; area: number }) => [id, area])).toEqual(
      [
        [cat, (100 + 3200 + 1600) / 3],
        [dog, 160_000],
      ].map(([id, area]) => [id, Math.round((area ?? 0) * 100) / 100]),
    );
    expect(found.sizes).toMatchObject({ small: 1, medium: 2, large: 1 });
    const bins = found.sizes.histogram.filter(({ count }: { count: number }) => count > 0);
    expect(bins).toEqual([
      { from: 64, to: 144, count: 1 },
      { from: 1024, to: 2304, count: 1 },
      { from: 2304, to: 4096, count: 1 },
      { from: 384 ** 2, to: 512 ** 2, count: 1 },
    ]);
    const { columns, rows, counts } = found.positions;
    const at = (x: number, y: number) =>
      counts[Math.floor((y / 480) * rows) * columns + Math.floor((x / 640) * columns)];
    expect([at(5, 5), at(320, 240), at(620, 460)]).toEqual([1, 2, 1]);
    expect(counts.length).toBe(columns * rows);
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(4);
  });

  test("boxes beyond the image are counted at its border", async () => {
    const image = await seedImage(server.db, datasetId);
    const id = await box(image, cat, [10, 10, 10, 10]);
    await sql`update annotations set bbox = '[-900, 9e300, 1.5e2, 20]' where id = ${id}`.execute(server.db);
    const { columns, rows, counts } = (await stats()).positions;
    expect(counts[(rows - 1) * columns]).toBe(1);
  });

  test("deleted annotations are not counted, and counted again when restored", async () => {
    const one = await seedImage(server.db, datasetId);
    const two = await seedImage(server.db, datasetId);
    const gone = await box(one, cat, [0, 0, 10, 10]);
    await box(two, cat, [0, 0, 10, 10]);
    await box(two, dog, [0, 0, 10, 10]);
    const annotations = async () => (await stats()).total.Annotations;
    expect(await annotations()).toBe(3);
    await ann.delete(`annotation/${gone}`);
    expect(await annotations()).toBe(2);
    await ann.delete(`category/${dog}`);
    expect(await annotations()).toBe(1);
    expect((await stats()).total.Categories).toBe(1);
    await ann.delete(`image/${two}`);
    const empty = await stats();
    expect([empty.total.Annotations, empty.total.Images]).toEqual([0, 1]);
    await ann.post(`undo/?instance=image&id=${two}`);
    await ann.post(`undo/?instance=category&id=${dog}`);
    await ann.post(`undo/?instance=annotation&id=${gone}`);
    expect(await annotations()).toBe(3);
  });

  test("an empty dataset without categories has zeros", async () => {
    const bare = await seedDataset(server.db, { ownerId: ann.id });
    const found = await stats(ann, bare);
    expect(found.total).toMatchObject({ Images: 0, Annotations: 0, Categories: 0, Users: 1 });
    expect(found.average["Time (ms) per Image"]).toBe(0);
    expect([found.categories, found.by_category]).toEqual([{}, []]);
    expect(Math.max(...found.positions.counts)).toBe(0);
  });

  test("time on images counts for the user who spent it, time on annotations for their category", async () => {
    const image = await seedImage(server.db, datasetId);
    const id = await box(image, cat, [0, 0, 10, 10]);
    const { uuid } = await server.db
      .selectFrom("annotations")
      .select("uuid")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await stats();
    const session = { image_id: image, annotation_uuid: null, start: Date.now(), tools: [] };
    const sessions = [
      { ...session, uuid: crypto.randomUUID(), milliseconds: 5000 },
      { ...session, uuid: crypto.randomUUID(), milliseconds: 2000, annotation_uuid: uuid },
    ];
    const batch = { client: `tab-of-mia-${mia.id}`, user: mia.id, edits: [], sessions };
    const sent = await mia.post("annotator/edits", batch);
    expect(sent.status, sent.text).toBe(200);
    const found = await stats();
    expect(found.total["Time Annotating (s)"]).toBe(5);
    expect(found.average).toMatchObject({ "Time (ms) per Image": 5000, "Time (ms) per Annotation": 2000 });
    expect(found.by_user.find(({ username }: { username: string }) => username === "mia").milliseconds).toBe(5000);
    expect(found.by_category[0].milliseconds).toBe(2000);
  });

  test("a large dataset is counted block by block, and a later change is included", async () => {
    await sql`
      insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash, annotated, num_annotations)
      select ${datasetId}::int, n || '.jpg', '', n || '.jpg', 640, 480, 'image/jpeg', 1, 0, n, true, 90
      from generate_series(1, 1000) n`.execute(server.db);
    for (let from = 0; from < 90; from += 10)
      await sql`
        insert into annotations (image_id, category_id, area, bbox, color, creator_id)
        select i.id, case when n % 3 = 0 then ${dog}::int else ${cat}::int end, 2000, '[10, 10, 50, 40]', '#336699', ${mia.id}::int
        from images i, generate_series(1, 90) n
        where dataset_id = ${datasetId} and n > ${from} and n <= ${from + 10}`.execute(server.db);
    const before = await stats();
    expect(before.total).toMatchObject({ Images: 1000, "Annotated Images": 1000, Annotations: 90_000 });
    expect(before.by_category).toMatchObject([
      { id: cat, annotations: 60_000, images: 1000, area: 2000 },
      { id: dog, annotations: 30_000, images: 1000 },
    ]);
    expect(before.users.mia).toEqual({ annotations: 90_000, images: 1000 });
    const image = await server.db
      .selectFrom("images")
      .select("id")
      .where("dataset_id", "=", datasetId)
      .orderBy("id")
      .offset(500)
      .executeTakeFirstOrThrow();
    await box(image.id, dog, [0, 0, 10, 10]);
    expect((await stats()).total.Annotations).toBe(90_001);
  });

  test("categories of equal names are separate, and a deleted account keeps what it created", async () => {
    const image = await seedImage(server.db, datasetId);
    const name = await nameOf(cat);
    const twin = await seedCategory(server.db, mia.id, name);
    await server.db.insertInto("dataset_categories").values({ dataset_id: datasetId, category_id: twin }).execute();
    const made = await box(image, cat, [0, 0, 10, 10]);
    await box(image, twin, [0, 0, 10, 10], mia);
    await server.db
      .updateTable("annotations")
      .set({ creator_id: null, creator_name: "otto" })
      .where("id", "=", made)
      .execute();
    const found = await stats();
    expect(found.categories).toMatchObject({ [name]: 1, [`${name} (${twin})`]: 1 });
    expect(found.by_user).toContainEqual({
      username: "otto",
      account: false,
      annotations: 1,
      images: 1,
      milliseconds: 0,
    });
    expect(found.users.otto).toBeUndefined();
    const guest = await server.user("guest");
    await server.db
      .updateTable("annotations")
      .set({ creator_id: guest.id, creator_name: "guest" })
      .where("id", "=", made)
      .execute();
    await server.db.updateTable("images").set({ revision: 99 }).where("id", "=", image).execute();
    expect((await stats()).users.guest).toEqual({ annotations: 1, images: 1 });
    await server.db.deleteFrom("users").where("id", "=", guest.id).execute();
    const left = await stats();
    expect(left.users.guest).toBeUndefined();
    expect(left.by_user).toContainEqual({
      username: "guest",
      account: false,
      annotations: 1,
      images: 1,
      milliseconds: 0,
    });
  });
});
