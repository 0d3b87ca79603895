import { AsyncResource } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CurrentUser } from "../../../../server/base/permissions";
import { currentUserOf } from "../../../../server/features/access/identity";
import { getScene } from "../../../../server/features/scene/getScene";
import { EXTRA_KEYPOINTS_KEY } from "../../../../shared/rules/keypointTriples";
import { describeOnDatabases, type TestDatabase } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../../support/factories";
import { sceneOfValues } from "../../../support/sceneOfValues";

const nobodyElse = { previous: null, next: null, next_not_annotated: null };

describeOnDatabases("the annotator's scene", (open) => {
  let database: TestDatabase;
  let ann: CurrentUser;
  let mia: CurrentUser;
  let datasetId: number;
  let imageId: number;
  let categoryId: number;
  beforeAll(async () => {
    database = await open();
    [ann, mia] = [await makeUser("ann"), await makeUser("mia")] as [CurrentUser, CurrentUser];
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    categoryId = await seedCategory(database.db, ann.id);
    datasetId = await seedDataset(database.db, { ownerId: ann.id, members: [mia.id], categories: [categoryId] });
    imageId = await seedImage(database.db, datasetId, "m.jpg");
  });

  async function makeUser(username: string) {
    const values = { username, preferences: '{"brush": {"radius": 10.50}}' };
    const row = await database.db.insertInto("users").values(values).returningAll().executeTakeFirstOrThrow();
    return currentUserOf(row);
  }

  const shapes = ["rings", "paper"] as const;
  type Wanted = Partial<Parameters<typeof getScene>[2]>;
  async function sceneOf(user = ann, wanted: Wanted = {}, isKept = (_: string) => false) {
    let tag = "";
    const listContext = { order: "path" as const, folder: "" };
    const all = { imageId, listContext, shape: "rings" as const, annotating: [], ...wanted };
    const scene = await getScene(database.db, user, all, (now) => {
      tag = now;
      return isKept(now);
    });
    const pieces = scene.json && (await Readable.from(scene.json).toArray());
    return { ...scene, pieces, json: pieces?.join(""), tag };
  }

  type Row = Parameters<ReturnType<typeof database.db.insertInto<"annotations">>["values"]>[0];
  const add = (row: Partial<Extract<Row, { image_id?: unknown }>>) =>
    database.db
      .insertInto("annotations")
      .values({ image_id: imageId, category_id: categoryId, color: "#336699", ...row })
      .returning("id")
      .executeTakeFirstOrThrow();
  const json = (value: unknown) => JSON.stringify(value);

  async function expectSameText() {
    for (const shape of shapes)
      for (const user of [ann, mia]) {
        const { json: text = "" } = await sceneOf(user, { shape });
        const values = await sceneOfValues(database.db, user, imageId, shape, nobodyElse);
        expect(text.replace(/"time_ms":\d+/, '"time_ms":0')).toBe(JSON.stringify(values));
      }
  }

  test("equals the JSON of its parsed values byte by byte, for unusual annotations", async () => {
    const removed = [{ id: 9, name: "gone ✋", color: "#00ff00" }];
    const labels = [
      { id: 1, name: "nose", color: "#ff0000" },
      { id: 2, name: 'élan "x"', color: "#0000ff" },
    ];
    await database.db
      .updateTable("categories")
      .set({ keypoints: json({ labels, edges: [[1, 2]], removed }), metadata: json({ "a, b": "c: d", n: 1.5e-9 }) })
      .where("id", "=", categoryId)
      .execute();
    const points = [
      { label: 1, x: 1.25, y: 2, v: 2 },
      { label: 1, x: 3, y: 4, v: 1 },
      { label: 9, x: 1e-7, y: 4, v: 3 },
    ];
    await add({ shape: json([[1, 2, 3.5, 4, 5, 6.25]]), area: 12.345678901234567, bbox: "[1,2,3.5,4]" });
    await add({ shape: json([[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], []]), area: 1e-9 });
    await add({ shape: json([]) });
    await add({ shape: json([[]]) });
    await add({ shape: json({ rings: [] }) });
    await add({
      shape: json({
        rings: [
          [
            [1, 2, 3, 4, 5, 6],
            [2, 2, 3, 3, 2, 3],
          ],
          [[0.1, 1e-7, -3, 4.75, 5, 6]],
        ],
      }),
    });
    await add({ shape: json({ size: [480, 640], counts: [0, 960, 480 * 640 - 960] }), iscrowd: true });
    await add({ shape: json({ size: [480, 640], counts: "a\\b`o0: , ]" }), iscrowd: true }).catch(() => undefined);
    await add({ isbbox: true, bbox: "[1.5,2,0.0000001,4]" });
    await add({ bbox: "[-0.5,1e-7,10000000,4.25]", creator_name: 'Ånna "q" \\ \u2028 💡', area: 1e10 });
    await add({ keypoints: "[]", metadata: json({ "k, ": [1, { "x: ": null }], text: "a, b: c \n\t\u0001 💡" }) });
    await add({ keypoints: json(points), extra: json({ [EXTRA_KEYPOINTS_KEY]: [1, 2, 2], license: 3 }) });
    await add({ milliseconds: 9007199254740991, revision: 77 });
    const deleted = await seedCategory(database.db, ann.id);
    await add({ category_id: deleted });
    await database.db.updateTable("categories").set({ deleted_at: new Date() }).where("id", "=", deleted).execute();
    await add({ deleted_at: new Date() });
    await add({ visible: false });
    const [ticked, tickedAndDeleted] = [
      await seedCategory(database.db, mia.id),
      await seedCategory(database.db, mia.id),
    ];
    await database.db
      .updateTable("categories")
      .set({ deleted_at: new Date() })
      .where("id", "=", tickedAndDeleted)
      .execute();
    await database.db
      .updateTable("images")
      .set({
        labels: [tickedAndDeleted, ticked, categoryId],
        metadata: json({ "è, ": "1: 2" }),
        done: true,
        stage: "accepted",
      })
      .where("id", "=", imageId)
      .execute();
    await database.db.deleteFrom("annotations").where(sql<boolean>`shape ->> 'counts' like 'a%'`).execute();
    await expectSameText();
  });

  test("long shapes are read in several statements and written piece by piece, with the same text", async () => {
    const other = await seedCategory(database.db, ann.id);
    const ring = Array.from({ length: 50_000 }, (_, i) => (i % 640) + i / 128);
    const rows = [[[ring]], [[ring, ring]], [], [[ring.slice(0, 6)], [ring]], [[ring]]].map((rings) => json({ rings }));
    for (const [i, shape] of rows.entries()) await add({ shape, category_id: i === 0 ? other : categoryId });
    await expectSameText();
    const { pieces = [], json: text = "" } = await sceneOf(ann, { shape: "paper" });
    expect(text.length).toBeGreaterThan(5_000_000);
    expect(Math.max(...pieces.map((piece: string) => piece.length))).toBeLessThan(500_000);
  });

  const number = fc.oneof(fc.integer({ min: -1e7, max: 1e7 }), fc.double({ min: -1e7, max: 1e7, noNaN: true }));
  const ring = fc.array(fc.tuple(number, number), { maxLength: 5 }).map((pairs) => pairs.flat());
  const bbox = fc.tuple(number, number, number, number);
  const metadata = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 2 }));
  const withoutNul = (value: unknown) => !JSON.stringify(value).includes("\\u0000");

  test("equals the JSON of its parsed values byte by byte, for any values", async () => {
    const shape = fc.oneof(fc.array(ring), fc.record({ rings: fc.array(fc.array(ring, { minLength: 1 })) }));
    const annotation = fc.record({
      shape: fc.option(shape.map(json)),
      bbox: bbox.map(json),
      isbbox: fc.boolean(),
      area: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      metadata: metadata.filter(withoutNul).map(json),
      creator_name: fc.string({ unit: "grapheme" }).filter(withoutNul),
    });
    const scenes = fc.array(annotation, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(scenes, async (rows) => {
        await database.db.deleteFrom("annotations").where("image_id", "=", imageId).execute();
        for (const row of rows) await add(row);
        await expectSameText();
      }),
      { numRuns: 15 },
    );
  });

  test("returns the revisions of the scene's annotations, even if the client already has the scene", async () => {
    expect((await sceneOf()).revisions()).toEqual(new Map());
    const [one, two] = [await add({}), await add({ revision: 5 })];
    const sent = new Map([
      [one.id, 1],
      [two.id, 5],
    ]);
    expect((await sceneOf()).revisions()).toEqual(sent);
    const kept = await sceneOf(ann, {}, () => true);
    expect([kept.json, kept.revisions()]).toEqual([undefined, sent]);
  });

  test("names the newest edits that it includes, if asked, and none that were stored since", async () => {
    await seedAnnotation(database.db, imageId, categoryId);
    const uuids = [2, 3, 4, 5].map(() => randomUUID());
    const entry = (edit: string, i: number) => ({
      ...{ image_id: imageId, image_revision: i + 2, subject: "image" as const, subject_id: String(imageId) },
      ...{ revision: i + 2, action: "modify" as const, fields: "{}", edit, user_name: "ann" },
    });
    await database.db.insertInto("edit_history").values(uuids.map(entry)).execute();
    await database.db.updateTable("images").set({ revision: 4 }).where("id", "=", imageId).execute();
    const editsOf = async (wanted: Wanted) => JSON.parse((await sceneOf(ann, wanted)).json ?? "").edits;
    expect(await editsOf({ editCount: 9 })).toEqual([uuids[2], uuids[1], uuids[0]]);
    expect(await editsOf({ editCount: 2 })).toEqual([uuids[2], uuids[1]]);
    expect(await editsOf({ editCount: 0 })).toBeUndefined();
    expect(await editsOf({ editCount: 9, shape: "paper" })).toBeUndefined();
  });

  test("the scene has the same tag until something changes", async () => {
    await seedAnnotation(database.db, imageId, categoryId);
    const other = await seedAnnotation(database.db, await seedImage(database.db, datasetId, "z.jpg"), categoryId);
    const { tag, json: text } = await sceneOf();
    await database.db.updateTable("annotations").set({ area: 7 }).where("id", "=", other).execute();
    await database.db.updateTable("users").set({ last_seen: new Date() }).execute();
    const again = await sceneOf();
    expect(again.tag).toBe(tag);
    expect(again.json?.replace(/"time_ms":\d+/, "")).toBe(text?.replace(/"time_ms":\d+/, ""));
  });

  test("the scene has another tag for another user, another form and another list", async () => {
    const listContext = { order: "-path" as const, folder: "" };
    await seedImage(database.db, datasetId, "a.jpg");
    const tags = [
      await sceneOf(),
      await sceneOf(mia),
      await sceneOf(ann, { shape: "paper" }),
      await sceneOf(ann, { listContext }),
      await sceneOf(ann, { annotating: ["mia"] }),
    ].map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(tags.length);
  });

  const setImage = (values: object) => () =>
    database.db.updateTable("images").set(values).where("id", "=", imageId).execute();
  const setAnnotation = (values: object) => (ids: { annotationId: number }) =>
    database.db.updateTable("annotations").set(values).where("id", "=", ids.annotationId).execute();
  const setCategory = (values: object) => () =>
    database.db.updateTable("categories").set(values).where("id", "=", categoryId).execute();
  const setDataset = (values: object) => () =>
    database.db.updateTable("datasets").set(values).where("id", "=", datasetId).execute();
  const changes: Record<string, (ids: { annotationId: number }) => Promise<unknown>> = {
    "an annotation's shape, though its revision stays": setAnnotation({ shape: "[[1,2,3,4,5,6]]" }),
    "an annotation's category": async (ids) =>
      setAnnotation({ category_id: await seedCategory(database.db, ann.id) })(ids),
    "an annotation's revision": setAnnotation({ revision: 2 }),
    "an annotation's metadata": setAnnotation({ metadata: '{"a":1}' }),
    "an annotation's colour": setAnnotation({ color: "#ffffff" }),
    "an annotation's creator": setAnnotation({ creator_name: "deleted user" }),
    "an annotation's keypoints": setAnnotation({ keypoints: '[{"label":1,"x":1,"y":1,"v":2}]' }),
    "a deleted annotation": setAnnotation({ deleted_at: new Date() }),
    "a hidden annotation": setAnnotation({ visible: false }),
    "a permanently deleted annotation": ({ annotationId }) =>
      database.db.deleteFrom("annotations").where("id", "=", annotationId).execute(),
    "a new annotation": () => add({}),
    "the image's metadata": setImage({ metadata: '{"a":1}' }),
    "the image's labels": () => setImage({ labels: [categoryId] })(),
    "the image's revision": setImage({ revision: 9 }),
    "the image's name": setImage({ file_name: "n.jpg" }),
    "the image's size": setImage({ width: 641 }),
    "the image's time spent": setImage({ milliseconds: 5 }),
    "the image's stage": setImage({ done: true, stage: "accepted" }),
    "the reviewer who returned the image": setImage({ returned_by: "ann" }),
    "the number of annotations": setImage({ num_annotations: 17 }),
    "the previous image": () => seedImage(database.db, datasetId, "a.jpg"),
    "the next image": () => seedImage(database.db, datasetId, "z.jpg"),
    "a category's name": setCategory({ name: `new name ${Math.random()}` }),
    "a category's colour": setCategory({ color: "#ffffff" }),
    "a category's keypoints": setCategory({
      keypoints: json({ labels: [{ id: 1, name: "nose", color: "#ff0000" }], edges: [], removed: [] }),
    }),
    "a category's removed keypoints": setCategory({
      keypoints: json({ labels: [], edges: [], removed: [{ id: 1, name: "nose", color: "#ff0000" }] }),
    }),
    "a category's metadata": setCategory({ metadata: '{"a":1}' }),
    "a category's supercategory": setCategory({ supercategory: "thing" }),
    "a category's creator": () => setCategory({ creator_id: mia.id })(),
    "a category's revision": setCategory({ revision: 7 }),
    "a category more in the dataset": async () => {
      const category_id = await seedCategory(database.db, mia.id);
      await database.db.insertInto("dataset_categories").values({ dataset_id: datasetId, category_id }).execute();
    },
    "a category less in the dataset": async () => {
      const category_id = await seedCategory(database.db, mia.id);
      await database.db.insertInto("dataset_categories").values({ dataset_id: datasetId, category_id }).execute();
      const { tag } = await sceneOf();
      await database.db.deleteFrom("dataset_categories").where("category_id", "=", category_id).execute();
      expect((await sceneOf()).tag).not.toBe(tag);
      await add({});
    },
    "a member less": () => database.db.deleteFrom("dataset_members").where("dataset_id", "=", datasetId).execute(),
    "the dataset's name": setDataset({ name: `new dataset ${Math.random()}` }),
    "the dataset's metadata": setDataset({ default_annotation_metadata: '{"a":1}' }),
    "the dataset's owner": () => setDataset({ owner_id: mia.id })(),
    "the dataset's address of a model": setDataset({ annotate_url: "https://model.example" }),
    "the user's preferences": () =>
      database.db
        .updateTable("users")
        .set({ preferences: `{"x":${Math.random()}}` })
        .where("id", "=", ann.id)
        .execute(),
    "the name of a member": () =>
      database.db
        .updateTable("users")
        .set({ username: `mia${Math.random()}` })
        .where("id", "=", mia.id)
        .execute(),
  };

  test.each(Object.keys(changes))("the scene has another tag after a change of %s", async (name) => {
    await database.db.insertInto("dataset_members").values({ dataset_id: datasetId, user_id: ann.id }).execute();
    const annotationId = await seedAnnotation(database.db, imageId, categoryId);
    for (const shape of shapes) {
      const before = await sceneOf(ann, { shape });
      if (shape === shapes[0]) await changes[name]?.({ annotationId });
      else await add({});
      const after = await sceneOf(ann, { shape });
      expect(after.tag).not.toBe(before.tag);
    }
  });

  test("the scene is a consistent snapshot, though annotations change while it is read", async () => {
    const { id } = await add({ shape: "[[1,1,2,1,2,2]]", color: "#000000" });
    const writes: Promise<unknown>[] = [];
    // Bound here, since a query on another connection would be refused inside the scene's transaction.
    const write = AsyncResource.bind((count: number) =>
      setAnnotation({ revision: 10 + count, area: count })({ annotationId: id }),
    );
    // Called between the scene's two statements. After three tries it is read in a transaction.
    const interfere = () => {
      const count = writes.length + 1;
      if (count <= 4) writes.push(write(count));
      return false;
    };
    const meddled = await sceneOf(ann, {}, interfere);
    await Promise.all(writes);
    const [annotation] = JSON.parse(meddled.json ?? "").categories[0].annotations;
    expect(annotation.area).toBe(Math.max(0, annotation.revision - 10));
    expect(meddled.revisions()).toEqual(new Map([[id, annotation.revision]]));
  });
});
