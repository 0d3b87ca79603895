import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { anonymousUser } from "../../../server/features/access/identity";
import type { Instance, UndoEntry } from "../../../shared/api/undo";
import { importFile, runQueuedTask } from "../../support/coco";
import { describeOnDatabases, openEither } from "../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import type { TestClient } from "../../support/testClient";

const back = (who: TestClient, instance: Instance, id: number) => who.post(`undo/?id=${id}&instance=${instance}`);
const gone = (who: TestClient, instance: Instance, id: number) => who.delete(`undo/?id=${id}&instance=${instance}`);

describeOnDatabases("undo", (open, kind) => {
  let server: TestServer;
  let ann: TestUser;
  let mia: TestUser;
  let eve: TestUser;
  let boss: TestUser;
  let category: number;
  let dataset: number;
  let image: number;
  let folder: string;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    mia = await server.user("mia");
    eve = await server.user("eve");
    boss = await server.user("boss", { admin: true });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    folder = `set ${crypto.randomUUID()}`;
    category = await seedCategory(server.db, ann.id);
    dataset = await seedDataset(server.db, {
      name: folder,
      ownerId: ann.id,
      members: [mia.id],
      categories: [category],
    });
    image = await seedImage(server.db, dataset, "sub/a.jpg");
    put("sub/a.jpg");
  });

  const square = [10, 10, 30, 10, 30, 30, 10, 30];
  const put = (path: string, text = path) => {
    const file = join(server.env.DATASETS_DIR, folder, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
  };
  const filesIn = (inner: string) => {
    try {
      return readdirSync(join(server.env.DATASETS_DIR, inner), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort();
    } catch {
      return undefined;
    }
  };
  const draw = async () =>
    (await ann.post("annotation/", { image_id: image, category_id: category, segmentation: [square] })).body
      .id as number;
  const list = async (who: TestUser, query = ""): Promise<UndoEntry[]> => (await who.get(`undo/list/${query}`)).body;
  const listed = async (who: TestUser, instance: Instance) =>
    (await list(who, `?type=${instance}&limit=1000`)).map(({ id }) => id);
  const row = (table: "images" | "annotations" | "datasets" | "categories" | "imports", id: number) =>
    server.db.selectFrom(table).selectAll().where("id", "=", id).executeTakeFirst();
  const imageFile = () => server.db.selectFrom("images").selectAll().where("id", "=", image).executeTakeFirst();
  const remove: Record<Exclude<Instance, "import">, (who: TestUser, id: number) => Promise<{ status: number }>> = {
    annotation: (who, id) => who.delete(`annotation/${id}`),
    image: (who, id) => who.delete(`image/${id}`),
    category: (who, id) => who.delete(`category/${id}`),
    dataset: (who, id) => who.delete(`dataset/${id}`),
  };

  test("each kind is listed with its name, place, time and who deleted it, the newest first", async () => {
    const annotation = await draw();
    await server.db
      .updateTable("annotations")
      .set({ metadata: JSON.stringify({ name: "Tom" }) })
      .where("id", "=", annotation)
      .execute();
    const other = await seedDataset(server.db, { ownerId: ann.id });
    const spare = await seedCategory(server.db, ann.id);
    const trashed = await seedImage(server.db, dataset, "b.jpg");
    await remove.annotation(mia, annotation);
    await remove.image(ann, trashed);
    await remove.category(ann, spare);
    await remove.dataset(ann, other);
    const entries = (await list(ann, "?limit=4")).map(({ date, ago, ...rest }) => {
      expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(600_000);
      expect(ago).toMatch(/^(|\d+ seconds?)$/);
      return rest;
    });
    const named = (id: number, name: unknown) => ({ id, name });
    const place = { category: null, image: null, dataset: null, permissions: { delete: true } };
    const names = await server.db.selectFrom("categories").select(["id", "name"]).execute();
    const nameOf = (id: number) => names.find((one) => one.id === id)?.name;
    const inSet = named(dataset, folder);
    expect(entries).toEqual([
      { ...place, id: other, instance: "dataset", name: expect.stringContaining("dataset"), deleted_by: "ann" },
      { ...place, id: spare, instance: "category", name: nameOf(spare), deleted_by: "ann" },
      { ...place, id: trashed, instance: "image", name: "b.jpg", deleted_by: "ann", dataset: inSet },
      {
        ...{ id: annotation, instance: "annotation", name: "Tom", deleted_by: "mia", permissions: { delete: true } },
        ...{ category: named(category, nameOf(category)), image: named(image, "a.jpg"), dataset: inSet },
      },
    ]);
    for (const instance of ["dataset", "category", "image", "annotation"] as const)
      expect((await list(ann, `?type=${instance}`)).every((entry) => entry.instance === instance)).toBe(true);
    expect(await list(ann, "?limit=1")).toHaveLength(1);
    expect(await list(ann)).toEqual((await ann.get("undo/list")).body);
  });

  test("the age is written as in older servers, and an entry without a name is a dash", async () => {
    const annotation = await draw();
    await remove.annotation(ann, annotation);
    await sql`update annotations set deleted_at = now() - interval '125 minutes' where id = ${annotation}`.execute(
      server.db,
    );
    const entry = (await list(ann, "?type=annotation&limit=1000")).find(({ id }) => id === annotation);
    expect(entry).toMatchObject({ ago: "2 hours", name: "-" });
  });

  test("types and limits outside the lists are refused", async () => {
    for (const query of [
      "type=user",
      "type=__proto__",
      "type=",
      "limit=0",
      "limit=-1",
      "limit=1001",
      "limit=x",
      "limit=1.5",
    ])
      expect((await ann.get(`undo/list/?${query}`)).status, query).toBe(400);
    for (const query of ["", "id=1", "instance=image", "id=x&instance=image", "id=-1&instance=image"])
      for (const method of ["POST", "DELETE"])
        expect((await ann.request(method, `undo/?${query}`)).status, query).toBe(400);
    for (const instance of ["all", "user", "constructor", "__proto__", "Image", "tasks"])
      expect((await ann.post(`undo/?id=1&instance=${instance}`)).body).toMatchObject({ message: "Instance not found" });
    for (const instance of ["annotation", "category", "dataset", "image", "import"])
      for (const id of ["0", "2147483647", "99999999999999999999"])
        for (const method of ["POST", "DELETE"])
          expect((await ann.request(method, `undo?id=${id}&instance=${instance}`)).status, instance).toBe(404);
  });

  test("nothing is changed without a login, or by another site's page", async () => {
    await remove.image(ann, image);
    expect((await server.visitor().get("undo/list/")).status).toBe(401);
    const path = `undo/?id=${image}&instance=image`;
    for (const method of ["POST", "DELETE"]) {
      expect((await server.visitor().request(method, path)).status).toBe(401);
      const foreign = { headers: { Origin: "http://evil.example", "Sec-Fetch-Site": "cross-site" } };
      expect((await ann.request(method, path, foreign)).status).toBe(403);
    }
    expect((await imageFile())?.deleted_at).not.toBeNull();
  });

  const TABLES = { annotation: "annotations", image: "images", dataset: "datasets", category: "categories" } as const;
  /** Status of rolling back and of deleting permanently, and true if it is listed, for each role. */
  const RIGHTS: [Exclude<Instance, "import">, Record<string, [number, number, boolean]>][] = [
    [
      "annotation",
      { owner: [200, 200, true], member: [200, 403, true], stranger: [404, 404, false], admin: [200, 200, true] },
    ],
    [
      "image",
      { owner: [200, 200, true], member: [403, 403, false], stranger: [404, 404, false], admin: [200, 200, true] },
    ],
    [
      "dataset",
      { owner: [200, 200, true], member: [403, 403, false], stranger: [404, 404, false], admin: [200, 200, true] },
    ],
    [
      "category",
      { owner: [200, 200, true], member: [403, 403, false], stranger: [404, 404, false], admin: [200, 200, true] },
    ],
  ];
  for (const [instance, roles] of RIGHTS)
    for (const [role, [rollBack, deletion, isListed]] of Object.entries(roles))
      test(`${instance}: the ${role} may ${rollBack === 200 ? "" : "not "}bring it back and ${deletion === 200 ? "" : "not "}delete it for good`, async () => {
        const who = { owner: ann, member: mia, stranger: eve, admin: boss }[role] ?? eve;
        const id = { annotation: await draw(), image, dataset, category }[instance];
        if (instance === "category") await server.db.deleteFrom("annotations").where("category_id", "=", id).execute();
        expect((await remove[instance](ann, id)).status).toBe(200);
        expect((await listed(who, instance)).includes(id)).toBe(isListed);
        expect((await gone(who, instance, id)).status).toBe(deletion);
        if (deletion === 200) {
          expect(await listed(who, instance)).not.toContain(id);
          expect((await back(who, instance, id)).status).toBe(404);
          expect((await gone(who, instance, id)).status).toBe(404);
          return;
        }
        expect((await row(TABLES[instance], id))?.deleted_at).not.toBeNull();
        expect((await back(who, instance, id)).status).toBe(rollBack);
        if (rollBack === 200) expect(await listed(who, instance)).not.toContain(id);
        const entry = (await list(who, `?type=${instance}`)).find((one) => one.id === id);
        expect(entry).toBeUndefined();
      });

  test("a live row is not permanently deleted, and restoring it does nothing", async () => {
    const things = { annotation: await draw(), image, dataset, category };
    const before = await imageFile();
    for (const [instance, id] of Object.entries(things) as [Exclude<Instance, "import">, number][]) {
      expect((await gone(ann, instance, id)).body).toMatchObject({ message: `This ${instance} is not deleted.` });
      expect((await back(ann, instance, id)).body).toEqual({ success: true });
    }
    expect(await imageFile()).toEqual(before);
  });

  test("an annotation is restored with its shape, its count and an edit in history, once of ten at once", async () => {
    const id = await draw();
    await remove.annotation(ann, id);
    expect(await imageFile()).toMatchObject({ num_annotations: 0, annotated: false });
    const before = (await imageFile())?.revision ?? 0;
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => back(i % 2 ? ann : mia, "annotation", id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await imageFile()).toMatchObject({ num_annotations: 1, annotated: true, revision: before + 1 });
    expect((await ann.get(`annotation/${id}`)).body).toMatchObject({ deleted: false, segmentation: [square] });
    const { body } = await ann.get(`annotator/edits/${image}?since=${before}`);
    expect(body).toMatchObject({ reload: false, changes: [{ action: "create", fields: { rings: [[square]] } }] });
  });

  test("a permanently deleted annotation leaves no history, and clients with an older revision load the image again", async () => {
    const id = await draw();
    const { uuid } = (await ann.get(`annotation/${id}`)).body;
    await remove.annotation(ann, id);
    const answers = await Promise.all(Array.from({ length: 6 }, () => gone(ann, "annotation", id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(404)]);
    expect(await row("annotations", id)).toBeUndefined();
    const history = await server.db.selectFrom("edit_history").selectAll().where("subject_id", "=", uuid).execute();
    expect(history).toEqual([]);
    expect((await ann.get(`annotator/edits/${image}?since=1`)).body).toMatchObject({ reload: true });
    expect(await imageFile()).toMatchObject({ num_annotations: 0 });
  });

  test("restoring and permanently deleting at once: one of them wins, and file and row agree", async () => {
    for (let round = 0; round < 8; round++) {
      const path = `race ${round}.jpg`;
      const id = await seedImage(server.db, dataset, path);
      put(path);
      await remove.image(ann, id);
      const [returned, deleted] = await Promise.all([back(ann, "image", id), gone(ann, "image", id)]);
      const isThere = (await row("images", id)) !== undefined;
      expect([returned.status, deleted.status]).toEqual(
        isThere ? [200, expect.any(Number)] : [expect.any(Number), 200],
      );
      if (isThere) expect([404, 409]).toContain(deleted.status);
      expect(filesIn(folder)?.includes(path), path).toBe(isThere);
    }
  });

  test("the content of a deleted entry is not listed, and is restored with it unchanged", async () => {
    const [kept, trashed] = [await draw(), await draw()];
    await remove.annotation(ann, trashed);
    await remove.image(ann, image);
    expect(await listed(ann, "annotation")).not.toContain(trashed);
    for (const act of [back, gone]) expect((await act(ann, "annotation", trashed)).status).toBe(404);
    await remove.dataset(ann, dataset);
    expect(await listed(ann, "image")).not.toContain(image);
    for (const act of [back, gone]) expect((await act(ann, "image", image)).status).toBe(404);
    expect((await back(ann, "dataset", dataset)).body).toEqual({ success: true });
    expect(await listed(ann, "image")).toContain(image);
    await back(ann, "image", image);
    expect(await listed(ann, "annotation")).toContain(trashed);
    expect((await ann.get(`annotation/${kept}`)).body.deleted).toBe(false);
    expect((await ann.get(`dataset/${dataset}/data`)).body).toMatchObject({
      total: 1,
      images: [{ num_annotations: 1 }],
    });
  });

  test("a restored image is counted and shown at once", async () => {
    await draw();
    await remove.image(ann, image);
    expect((await ann.get(`dataset/${dataset}/data`)).body.total).toBe(0);
    await back(ann, "image", image);
    expect((await ann.get(`dataset/${dataset}/data`)).body.total).toBe(1);
    const { datasets } = (await ann.get("dataset/data?limit=1000")).body;
    expect(datasets.find(({ id }: { id: number }) => id === dataset)).toMatchObject({
      numberImages: 1,
      numberAnnotated: 1,
    });
  });

  test("a permanently deleted image loses its annotations, history and file, and nothing else changes", async () => {
    const other = await seedImage(server.db, dataset, "sub/b.jpg");
    put("sub/b.jpg");
    put("sub/notes.txt");
    const id = await draw();
    await ann.put(`category/${category}`, { color: "#111111" });
    await server.db
      .updateTable("edit_history")
      .set({ image_id: image, image_revision: 900 })
      .where("subject", "=", "category")
      .where("subject_id", "=", String(category))
      .execute();
    await remove.image(ann, image);
    expect((await gone(ann, "image", image)).body).toEqual({ success: true });
    expect([await imageFile(), await row("annotations", id)]).toEqual([undefined, undefined]);
    expect(await row("images", other)).toBeDefined();
    expect(filesIn(folder)).toEqual(["b.jpg", "notes.txt"]);
    expect(filesIn(`.trash/image-${image}`)).toEqual(["a.jpg"]);
    const history = await server.db
      .selectFrom("edit_history")
      .select("subject")
      .where("subject_id", "=", String(category));
    expect(await history.execute()).toEqual([{ subject: "category" }]);
  });

  test("an image whose file is missing can be permanently deleted", async () => {
    const lost = await seedImage(server.db, dataset, "lost/x.jpg");
    await remove.image(ann, lost);
    expect((await gone(ann, "image", lost)).status).toBe(200);
    expect(await row("images", lost)).toBeUndefined();
  });

  test("a category in use stays, with the number of uses; otherwise it is deleted and its name is free", async () => {
    const { id, name } = (await ann.post("category/", { name: `used ${folder}` })).body;
    const [live, trashed] = [await seedAnnotation(server.db, image, id), await seedAnnotation(server.db, image, id)];
    await remove.annotation(ann, trashed);
    await remove.category(ann, id);
    const refused = await gone(ann, "category", id);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe("2 annotations use this category (1 of them in the trash).");
    await gone(ann, "annotation", trashed);
    expect((await gone(ann, "category", id)).body.message).toBe("1 annotation uses this category.");
    await remove.annotation(ann, live);
    await gone(ann, "annotation", live);
    await server.db
      .updateTable("images")
      .set({ labels: [id] })
      .where("id", "=", image)
      .execute();
    expect((await gone(ann, "category", id)).body.message).toBe("1 image is labelled with this category.");
    await server.db.updateTable("images").set({ labels: [] }).where("id", "=", image).execute();
    expect((await ann.post("category/", { name })).status).toBe(409);
    expect((await gone(ann, "category", id)).status).toBe(200);
    expect((await ann.post("category/", { name })).status).toBe(200);
  });

  test("a restored category returns to the lists of its datasets", async () => {
    await remove.category(ann, category);
    expect((await ann.get(`category/${category}`)).status).toBe(404);
    await back(ann, "category", category);
    expect((await ann.get(`category/${category}`)).status).toBe(200);
    const { body } = await ann.get(`dataset/`);
    expect(body.find(({ id }: { id: number }) => id === dataset).categories).toEqual([category]);
  });

  test("a permanently deleted dataset loses its rows and images; other users' files stay, and its name is free at once", async () => {
    await draw();
    const trashed = await seedImage(server.db, dataset, "trashed.jpg");
    put("trashed.jpg");
    put("notes/readme.txt");
    await remove.image(ann, trashed);
    const { id: exported } = await server.db
      .insertInto("exports")
      .values({ dataset_id: dataset, file: "one.json", bytes: 2 })
      .returning("id")
      .executeTakeFirstOrThrow();
    await remove.dataset(ann, dataset);
    const { body } = await gone(ann, "dataset", dataset);
    expect(body).toMatchObject({ success: true, task: { name: `Delete dataset ${folder} permanently` } });
    for (const act of [back, gone]) expect((await act(ann, "dataset", dataset)).status).toBe(404);
    expect(await listed(boss, "dataset")).not.toContain(dataset);
    expect((await ann.get("tasks/")).body.map(({ id }: { id: number }) => id)).toContain(body.task.id);
    const again = await ann.post("dataset/", { name: folder });
    expect(again.status).toBe(200);
    const { row: task, log } = await runQueuedTask(server, body.task.id);
    expect([task.state, task.result, log.at(-1)]).toEqual(["done", { images: 2 }, "INFO 2 images deleted"]);
    expect([await row("datasets", dataset), await imageFile()]).toEqual([undefined, undefined]);
    expect(await server.db.selectFrom("exports").where("id", "=", exported).selectAll().execute()).toEqual([]);
    expect(filesIn(folder)).toEqual(["readme.txt"]);
    expect(filesIn(`.trash/dataset-${dataset}`)).toEqual(["a.jpg", "trashed.jpg"]);
    expect(again.body.directory).not.toBe(`/datasets/${folder}/`);
  });

  test("a dataset's folder is removed if it contains no other files, and its tasks are stopped", async () => {
    const scan = (await ann.get(`dataset/${dataset}/scan`)).body.id;
    await remove.dataset(ann, dataset);
    const { body } = await gone(ann, "dataset", dataset);
    expect(await server.db.selectFrom("tasks").select("state").where("id", "=", scan).execute()).toEqual([
      { state: "cancelled" },
    ]);
    await runQueuedTask(server, body.task.id);
    expect(filesIn(folder)).toBeUndefined();
    expect(await server.db.selectFrom("tasks").select("id").where("id", "=", scan).execute()).toEqual([]);
  });

  test("an undone import is one entry: it is restored unchanged, twice, and deleted except for edited annotations", async () => {
    const name = `brought ${folder}`;
    const points = (await ann.post("category/", { name: `points ${folder}` })).body;
    const file = {
      images: [{ id: 1, file_name: "a.jpg", width: 640, height: 480 }],
      categories: [
        { id: 1, name },
        { id: 2, name: points.name, keypoints: ["l", "r"], skeleton: [[1, 2]] },
      ],
      annotations: [1, 2, 3].map((n) => ({
        id: n,
        image_id: 1,
        category_id: 1,
        segmentation: [[n, n, 9 * n, n, 9 * n, 9 * n]],
      })),
    };
    const { importId } = await importFile(server, mia, dataset, file);
    const undo = async () => runQueuedTask(server, (await ann.delete(`dataset/${dataset}/import/${importId}`)).body.id);
    const rows = () =>
      server.db.selectFrom("annotations").selectAll().where("image_id", "=", image).orderBy("id").execute();
    const shapes = async () => (await rows()).filter((one) => !one.deleted_at).map(({ id, shape }) => ({ id, shape }));
    const brought = await shapes();
    const [first, second] = brought.map(({ id }) => id);
    await remove.annotation(mia, first ?? 0);
    const before = await shapes();
    for (let round = 0; round < 2; round++) {
      await undo();
      expect(await shapes()).toEqual([]);
      expect(await listed(ann, "annotation")).toEqual(expect.arrayContaining([first]));
      expect(await listed(ann, "annotation")).not.toContain(second);
      expect((await list(mia, "?type=import")).find(({ id }) => id === importId)).toMatchObject({
        ...{ name: "coco.json", instance: "import", deleted_by: "ann", permissions: { delete: false } },
        dataset: { id: dataset, name: folder },
      });
      expect(await listed(eve, "import")).not.toContain(importId);
      for (const act of [back, gone]) expect((await act(eve, "import", importId)).status).toBe(404);
      expect((await gone(mia, "import", importId)).status).toBe(403);
      const { body } = await back(mia, "import", importId);
      expect(await listed(ann, "import")).not.toContain(importId);
      const { row: task } = await runQueuedTask(server, body.task.id);
      expect([task.state, task.result]).toEqual(["done", { restored: 2 }]);
      // As after the death of a worker that had restored everything.
      await server.db
        .updateTable("tasks")
        .set({ state: "queued", finished_at: null })
        .where("id", "=", task.id)
        .execute();
      expect((await runQueuedTask(server, task.id)).row.result).toEqual({ restored: 2 });
      expect(await shapes()).toEqual(before);
      expect(await imageFile()).toMatchObject({ num_annotations: 2 });
      const categories = (await mia.get("category/")).body as { name: string; keypoint_labels: string[] }[];
      expect(categories.map((one) => one.name)).toContain(name);
      expect((await back(mia, "import", importId)).body).toEqual({ success: true });
      expect((await gone(ann, "import", importId)).status).toBe(409);
    }
    await ann.put(`annotation/${second}`, { color: "#123456" });
    await undo();
    const { body } = await gone(ann, "import", importId);
    expect((await ann.get(`dataset/${dataset}/imports`)).body).toEqual([]);
    for (const act of [back, gone]) expect((await act(ann, "import", importId)).status).toBe(404);
    const { row: task } = await runQueuedTask(server, body.task.id);
    expect([task.state, task.result]).toEqual(["done", { annotations: 1 }]);
    expect((await rows()).map(({ id, import_id }) => ({ id, import_id }))).toEqual([
      { id: first, import_id: null },
      { id: second, import_id: null },
    ]);
    expect(await row("imports", importId)).toBeUndefined();
  });

  test("an import is neither undone nor deleted while it is being restored, nor the other way round", async () => {
    const file = {
      images: [{ id: 1, file_name: "a.jpg", width: 640, height: 480 }],
      categories: [{ id: 1, name: `at once ${folder}` }],
      annotations: [{ id: 1, image_id: 1, category_id: 1, segmentation: [square] }],
    };
    const { importId } = await importFile(server, ann, dataset, file);
    const undo = () => ann.delete(`dataset/${dataset}/import/${importId}`);
    const undoing = (await undo()).body.id;
    expect((await undo()).body.id).toBe(undoing);
    // As in the middle of the task, which notes the undo before it changes the annotations.
    await server.db
      .updateTable("imports")
      .set({ state: "undone", undone_at: new Date() })
      .where("id", "=", importId)
      .execute();
    expect((await back(ann, "import", importId)).status).toBe(409);
    expect((await gone(ann, "import", importId)).status).toBe(409);
    await runQueuedTask(server, undoing);

    const restoring = (await back(ann, "import", importId)).body.task.id;
    expect((await back(ann, "import", importId)).body.task.id).toBe(restoring);
    expect((await undo()).status).toBe(409);
    expect((await gone(ann, "import", importId)).status).toBe(409);
    const { row: task } = await runQueuedTask(server, restoring);
    expect([task.state, task.result]).toEqual(["done", { restored: 1 }]);
    await runQueuedTask(server, (await undo()).body.id);
    expect((await gone(ann, "import", importId)).status).toBe(200);
    expect((await undo()).status).toBe(404);
  });

  test("keypoints that an import added to a category are restored with it", async () => {
    const { id, name } = (await ann.post("category/", { name: `points ${folder}` })).body;
    const file = { categories: [{ id: 2, name, keypoints: ["l", "r"], skeleton: [[1, 2]] }] };
    const { importId } = await importFile(server, ann, dataset, file);
    const definition = async () => (await ann.get(`category/${id}`)).body;
    const { keypoint_labels, keypoint_edges, keypoint_colors } = await definition();
    expect(keypoint_labels).toEqual(["l", "r"]);
    for (let round = 0; round < 2; round++) {
      await runQueuedTask(server, (await ann.delete(`dataset/${dataset}/import/${importId}`)).body.id);
      expect(await definition()).toMatchObject({ keypoint_labels: [] });
      await runQueuedTask(server, (await back(ann, "import", importId)).body.task.id);
      expect(await definition()).toMatchObject({ keypoint_labels, keypoint_edges, keypoint_colors });
    }
  });

  test("the datasets of a deleted account belong to admins", async () => {
    const zoe = await server.user(`zoe${kind}`);
    const own = await seedDataset(server.db, { ownerId: zoe.id });
    await remove.dataset(zoe, own);
    await server.db.deleteFrom("users").where("id", "=", zoe.id).execute();
    expect(await listed(ann, "dataset")).not.toContain(own);
    expect((await list(boss, "?type=dataset")).find(({ id }) => id === own)).toMatchObject({ deleted_by: null });
    expect((await back(boss, "dataset", own)).status).toBe(200);
  });
});

test("every caller sees, restores and deletes everything with login disabled", async () => {
  const database = await openEither();
  const server = await startServer(database, { env: { LOGIN_DISABLED: "true" } });
  try {
    const { db } = server;
    await anonymousUser(db);
    const visitor = server.visitor();
    const dataset = await seedDataset(db, { ownerId: null });
    const image = await seedImage(db, dataset);
    const category = await seedCategory(db, null);
    const annotation = await seedAnnotation(db, image, category);
    for (const call of [back, gone])
      for (const [instance, id] of Object.entries({ annotation, image, category, dataset })) {
        expect((await visitor.delete(`${instance}/${id}`)).status, instance).toBe(200);
        const [entry] = (await visitor.get(`undo/list/?type=${instance}`)).body;
        expect(entry).toMatchObject({ id, deleted_by: "anonymous", permissions: { delete: true } });
        expect((await call(visitor, instance as Instance, id)).status, instance).toBe(200);
        expect((await visitor.get(`undo/list/?type=${instance}`)).body).toEqual([]);
      }
  } finally {
    await server.close();
    await database.close();
  }
});
