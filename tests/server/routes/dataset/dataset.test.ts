import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listCategories } from "../../../../server/db/rows/categories";
import { addDefaultMetadata } from "../../../../server/features/datasets/defaultMetadata";
import type { AnnotationEvent } from "../../../../shared/events";
import { describeOnDatabases } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnDatabases("datasets", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let admin: TestUser;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    bob = await server.user("bob");
    admin = await server.user("admin", { admin: true });
  });
  afterAll(() => server.close());

  test("a dataset is created with its folder and its categories, found or new", async () => {
    const own = await seedCategory(server.db, ann.id, "Person");
    const { status, body } = await ann.post("dataset/?name=first%20set", {
      categories: ["person", " bird ", "BIRD", ""],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "first set", owner: "ann", users: [], permissions: { owner: true } });
    expect(body.categories).toContain(own);
    expect(body.categories).toHaveLength(2);
    expect(body.directory).toBe("/datasets/first set/");
    expect(readdirSync(server.env.DATASETS_DIR)).toContain("first set");
  });

  test("as many categories as in LVIS and Open Images are possible, each with a distinct colour", async () => {
    const names = Array.from({ length: 1203 }, (_, n) => `kind ${n}`);
    const { status, body } = await ann.post("dataset/", { name: "many", categories: [...names, "person"] });
    expect(status).toBe(200);
    expect(body.categories).toHaveLength(1204);
    const made = await server.db.selectFrom("categories").selectAll().where("name", "like", "kind %").execute();
    expect(made.map(({ name }) => name)).toEqual(names);
    expect(made[0]).toMatchObject({ supercategory: "", metadata: {}, creator_id: ann.id, creator_name: "ann" });
    expect(new Set(made.slice(0, 50).map(({ color }) => color)).size).toBe(50);
    const more = Array.from({ length: 18_000 }, (_, n) => `other ${n}`);
    expect((await ann.post(`dataset/${body.id}`, { categories: [...names.slice(1), ...more] })).status).toBe(200);
    expect((await ann.get(`dataset/${body.id}`)).body.categories).toHaveLength(19_202);
    const tooMany = Array.from({ length: 20_001 }, (_, n) => `x${n}`);
    expect((await ann.post(`dataset/${body.id}`, { categories: tooMany })).status).toBe(400);
  });

  test("a search finds datasets by part of their name, ignoring case and accents", async () => {
    for (const name of ["Äpfel 100%", "Apfelbaum", "Birnen"]) await seedDataset(server.db, { name, ownerId: ann.id });
    const found = async (search: string, by = ann) => {
      const { body } = await by.get(`dataset/data?search=${encodeURIComponent(search)}`);
      expect(body.pagination.total).toBe(body.datasets.length);
      return body.datasets.map(({ name }: { name: string }) => name);
    };
    expect(await found("APFEL")).toEqual(["Äpfel 100%", "Apfelbaum"]);
    expect(await found(" 100% ")).toEqual(["Äpfel 100%"]);
    expect(await found("100_")).toEqual([]);
    expect(await found("apfel", bob)).toEqual([]);
  });

  test("figures for cards have the first images, and the number of images with annotations of each category", async () => {
    const [cat, dog] = [await seedCategory(server.db, ann.id), await seedCategory(server.db, ann.id)];
    const id = await seedDataset(server.db, { ownerId: ann.id, categories: [cat, dog] });
    const images: number[] = [];
    for (let i = 0; i < 5; i++) images.push(await seedImage(server.db, id));
    for (const [image = 0, category] of [
      [images[0], dog],
      [images[1], dog],
      [images[1], dog],
      [images[4], cat],
    ] as const)
      await seedAnnotation(server.db, image, category);
    await server.db.updateTable("images").set({ deleted_at: new Date() }).where("id", "=", images[2]!).execute();
    const { body } = await ann.get(`dataset/figures?ids=${id},999999`);
    const thumbnails = [images[0], images[1], images[3], images[4]];
    const categories = [
      { id: dog, images: 2 },
      { id: cat, images: 1 },
    ];
    expect(body).toEqual({ datasets: [{ id, thumbnails, categories }] });
    expect((await bob.get(`dataset/figures?ids=${id}`)).body).toEqual({ datasets: [] });
    expect((await ann.get("dataset/figures")).body).toEqual({ datasets: [] });
  });

  test("a name is required, in the query or in the body", async () => {
    expect((await ann.post("dataset/", {})).body).toMatchObject({ message: "Dataset name is required" });
    expect((await ann.post("dataset/?name=%20", {})).body).toMatchObject({ message: "Dataset name is required" });
    expect((await ann.post("dataset/", { name: "in the body" })).status).toBe(200);
    expect((await ann.post("dataset/?name=without%20body")).status).toBe(200);
  });

  test("a taken name is refused ignoring case, and one of ten simultaneous requests creates the dataset", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => ann.post("dataset/", { name: i % 3 ? "Race" : "rACE" })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({
      message: "You already have a dataset with this name. Choose another name.",
      errors: { name: "You already have a dataset with this name. Choose another name." },
    });
  });

  test("two users may have datasets of the same name, whose folders differ", async () => {
    const answers = await Promise.all([ann, bob].map((user) => user.post("dataset/", { name: "Common" })));
    expect(answers.map(({ status, body }) => [status, body.name])).toEqual([
      [200, "Common"],
      [200, "Common"],
    ]);
    expect(new Set(answers.map(({ body }) => body.directory)).size).toBe(2);
    const { body: other } = await bob.post("dataset/", { name: "Of Bob" });
    await ann.post("dataset/", { name: "Of Ann" });
    expect((await bob.post(`dataset/${other.id}`, { name: "of ann" })).status).toBe(200);
  });

  test("an admin who renames a dataset is told which names its owner uses", async () => {
    const { body: live } = await bob.post("dataset/", { name: "Live" });
    const { body: deleted } = await bob.post("dataset/", { name: "Deleted" });
    const { body: renamed } = await bob.post("dataset/", { name: "Renamed" });
    await bob.delete(`dataset/${deleted.id}`);
    await admin.post("dataset/", { name: "Of the admin" });
    const rename = async (name: string) => (await admin.post(`dataset/${renamed.id}`, { name })).body.message;
    expect(await rename("LIVE")).toBe("The owner of this dataset already has one with this name. Choose another name.");
    expect(await rename("deleted")).toBe(
      "The owner of this dataset has one with this name in the trash. Choose another name.",
    );
    expect(await rename("of the admin")).toBeUndefined();
    expect((await bob.get(`dataset/${live.id}`)).body.name).toBe("Live");
  });

  test("ten datasets created at once with one new category share it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => ann.post("dataset/", { name: `sharing ${i}`, categories: ["all new"] })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.flatMap((answer) => answer.body.categories)).size).toBe(1);
  });

  test("two names that map to one folder get two folders", async () => {
    const answers = await Promise.all(["a:b", "a/b", "a?b", "..", "."].map((name) => ann.post("dataset/", { name })));
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(200));
    expect(new Set(answers.map((answer) => answer.body.directory)).size).toBe(5);
  });

  test("members see a dataset after sharing and not before, and unknown names are reported", async () => {
    const { id } = (await ann.post("dataset/", { name: "to share" })).body;
    expect((await bob.post(`dataset/${id}`, {})).status).toBe(404);
    const wrong = await ann.post(`dataset/${id}/share`, { users: ["bob", "nobody", "b"] });
    expect(wrong).toMatchObject({ status: 400, body: { message: "No such user: nobody, b." } });
    expect((await ann.post(`dataset/${id}/share`, { users: ["BOB", "ann"] })).status).toBe(200);
    const [seen] = (await bob.get("dataset/")).body.filter((dataset: { id: number }) => dataset.id === id);
    expect(seen).toMatchObject({ owner: "ann", users: ["bob"] });
    expect((await bob.post(`dataset/${id}/share`, { users: ["bob"] })).status).toBe(403);
    expect((await bob.delete(`dataset/${id}`)).status).toBe(403);
    expect((await ann.post(`dataset/${id}/share`, { users: [] })).status).toBe(200);
    expect((await bob.post(`dataset/${id}`, {})).status).toBe(404);
  });

  test("members are added and removed one by one, in whatever order the changes arrive", async () => {
    const [dora, emil] = [await server.user("dora"), await server.user("emil")];
    const { id } = (await ann.post("dataset/", { name: "shared by changes" })).body;
    const share = (change: object, by = ann) => by.post(`dataset/${id}/share`, change);
    const users = async () => (await ann.get(`dataset/${id}`)).body.users;
    const late = [{ add: ["BOB"] }, { add: ["dora", "ann"] }, { add: ["emil"], remove: ["nobody"] }];
    const answers = await Promise.all(late.map((change) => share(change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await users()).toEqual(["bob", "dora", "emil"]);
    expect((await share({ add: ["bob"], remove: ["Emil", "dora"] })).status).toBe(200);
    expect(await users()).toEqual(["bob"]);
    expect((await emil.get(`dataset/${id}`)).status).toBe(404);
    expect((await share({ add: ["dora", "nobody"], remove: ["bob"] })).status).toBe(400);
    for (const unclear of [{}, { users: ["dora"], add: ["bob"] }, { users: [], remove: ["bob"] }, { add: "bob" }])
      expect([unclear, (await share(unclear)).status]).toEqual([unclear, 400]);
    expect((await share({ add: ["dora"] }, bob)).status).toBe(403);
    expect((await share({ add: ["dora"] }, dora)).status).toBe(404);
    expect(await users()).toEqual(["bob"]);
  });

  test("default categories and metadata are changed entry by entry, in whatever order the changes arrive", async () => {
    const { id } = (await ann.post("dataset/", { name: "edited by changes", categories: ["cat", "dog"] })).body;
    const update = (change: object) => ann.post(`dataset/${id}`, change);
    const names = async () => {
      const { categories } = (await ann.get(`dataset/${id}/data`)).body;
      return categories.map(({ name }: { name: string }) => name);
    };
    const metadata = async () => (await ann.get(`dataset/${id}`)).body.default_annotation_metadata;
    await update({ default_annotation_metadata: { age: 1, sex: "?" } });
    const changes = [
      { add_categories: ["heron"], set_default_metadata: { size: 2 } },
      { add_categories: ["cow", "DOG"], remove_default_metadata: ["sex", "unknown"] },
      { remove_categories: ["Cat", "unknown"], set_default_metadata: { age: null } },
    ];
    const answers = await Promise.all(changes.map(update));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await names()).toSorted()).toEqual(["cow", "dog", "heron"]);
    expect(await metadata()).toEqual({ age: null, size: 2 });
    await update({ add_categories: [], remove_categories: [], set_default_metadata: {} });
    expect(await metadata()).toEqual({ age: null, size: 2 });
    for (const unclear of [
      { categories: ["cat"], add_categories: ["cow"] },
      { categories: ["cat"], remove_category_ids: [1] },
      { default_annotation_metadata: {}, remove_default_metadata: ["age"] },
    ])
      expect((await update(unclear)).status).toBe(400);
    expect((await names()).toSorted()).toEqual(["cow", "dog", "heron"]);
    await update({ categories: ["cat"], set_default_metadata: { more: 1 } });
    expect(await names()).toEqual(["cat"]);
  });

  test("categories are removed by id, also with a name twice in the list, and after another user has renamed them", async () => {
    const { id } = (await ann.post("dataset/", { name: "removed by ids", categories: ["jockey"] })).body;
    const [other, renamed, stays] = [
      await seedCategory(server.db, bob.id, "jockey"),
      await seedCategory(server.db, bob.id, "calf"),
      await seedCategory(server.db, bob.id, "cow"),
    ];
    await listCategories(server.db, id, [other, renamed, stays]);
    await server.db.updateTable("categories").set({ name: "heifer" }).where("id", "=", renamed).execute();
    const listed = async (): Promise<{ id: number; name: string }[]> =>
      (await ann.get(`dataset/${id}/data`)).body.categories;
    const jockeys = (await listed()).filter(({ name }) => name === "jockey");
    expect(jockeys).toHaveLength(2);
    const removed = [...jockeys.map((each) => each.id), renamed, 987_654_321];
    expect((await ann.post(`dataset/${id}`, { remove_category_ids: removed })).status).toBe(200);
    expect((await listed()).map(({ name }) => name)).toEqual(["cow"]);
  });

  test("a refused name or category leaves the default metadata and the annotations alone", async () => {
    const gone = (await ann.post("category/", { name: "once deleted" })).body.id;
    await ann.delete(`category/${gone}`);
    await ann.post("dataset/", { name: "taken by ann" });
    const { id } = (await ann.post("dataset/", { name: "refused changes" })).body;
    const category = await seedCategory(server.db, ann.id);
    const annotation = await seedAnnotation(server.db, await seedImage(server.db, id), category);
    const entries = { set_default_metadata: { weather: "sunny" } };
    for (const refused of [{ add_categories: ["once deleted"] }, { name: "taken by ann" }])
      expect((await ann.post(`dataset/${id}`, { ...refused, ...entries })).status).toBe(409);
    expect((await ann.get(`annotation/${annotation}`)).body.metadata).toEqual({});
    expect((await ann.get(`dataset/${id}`)).body.default_annotation_metadata).toEqual({});
    expect((await ann.post(`dataset/${id}`, entries)).status).toBe(200);
    expect((await ann.get(`annotation/${annotation}`)).body.metadata).toEqual({ weather: "sunny" });
    expect((await ann.get(`dataset/${id}`)).body.default_annotation_metadata).toEqual({ weather: "sunny" });
  });

  test("entries added to the default metadata are added to the annotations that lack them", async () => {
    const category = await seedCategory(server.db, ann.id);
    const dataset = await seedDataset(server.db, { ownerId: ann.id });
    const annotation = await seedAnnotation(server.db, await seedImage(server.db, dataset), category);
    await ann.post(`dataset/${dataset}`, { set_default_metadata: { age: 1 } });
    await ann.post(`dataset/${dataset}`, { set_default_metadata: { age: 2, sex: "?" } });
    const { metadata } = (await ann.get(`annotation/${annotation}`)).body;
    expect(metadata).toEqual({ age: 1, sex: "?" });
  });

  test("cards contain the number of images and the user's rights", async () => {
    const carl = await server.user("carl");
    const dataset = await seedDataset(server.db, { ownerId: ann.id, members: [carl.id] });
    const first = await seedImage(server.db, dataset);
    await seedImage(server.db, dataset);
    const gone = await seedImage(server.db, dataset);
    await server.db.updateTable("images").set({ deleted_at: new Date() }).where("id", "=", gone).execute();
    await server.db.updateTable("images").set({ annotated: true }).where("id", "=", first).execute();
    const { body } = await carl.get("dataset/data?page=1&limit=52");
    expect(body.pagination).toEqual({ start: 0, end: 1, pages: 1, page: 1, total: 1, showing: 1 });
    expect(body.datasets).toMatchObject([
      {
        id: dataset,
        numberImages: 2,
        numberAnnotated: 1,
        first_image_id: first,
        permissions: { owner: false, edit: true, manage: false, share: false, generate: false, delete: false },
      },
    ]);
  });

  test("a deleted dataset disappears for every user, and its name stays taken", async () => {
    const { id } = (await ann.post("dataset/", { name: "short lived" })).body;
    expect((await ann.delete(`dataset/${id}`)).status).toBe(200);
    expect((await ann.delete(`dataset/${id}`)).status).toBe(404);
    expect((await admin.post(`dataset/${id}`, {})).status).toBe(404);
    const again = await ann.post("dataset/", { name: "Short Lived" });
    expect(again.status).toBe(409);
    expect(again.body.message).toBe("Dataset already exists. Check the undo tab to fully delete the dataset.");
    expect((await bob.post("dataset/", { name: "Short Lived" })).status).toBe(200);
    expect((await ann.post(`undo/?id=${id}&instance=dataset`)).status).toBe(200);
    expect((await ann.get(`dataset/${id}`)).body.name).toBe("short lived");
  });

  test("new default metadata is added to the annotations that lack it", async () => {
    const category = await seedCategory(server.db, ann.id);
    const dataset = await seedDataset(server.db, { ownerId: ann.id, members: [bob.id] });
    const image = await seedImage(server.db, dataset);
    const [with_, without] = [
      await seedAnnotation(server.db, image, category),
      await seedAnnotation(server.db, image, category),
    ];
    await server.db.updateTable("annotations").set({ metadata: '{"age":7}' }).where("id", "=", with_).execute();
    const answer = await bob.post(`dataset/${dataset}`, { default_annotation_metadata: { age: 1, sex: "?" } });
    expect(answer.status).toBe(200);
    const rows = await server.db
      .selectFrom("annotations")
      .select(["id", "metadata", "revision"])
      .where("image_id", "=", image)
      .orderBy("id")
      .execute();
    expect(rows).toEqual([
      { id: with_, metadata: { age: 7, sex: "?" }, revision: 2 },
      { id: without, metadata: { age: 1, sex: "?" }, revision: 2 },
    ]);
    const imageFile = await server.db
      .selectFrom("images")
      .selectAll()
      .where("id", "=", image)
      .executeTakeFirstOrThrow();
    expect(imageFile.reload_revision).toBe(imageFile.revision);
    expect(imageFile.revision).toBe(2);
  });

  test("new default metadata leaves an import undoable as a whole, and open pages are notified", async () => {
    const dataset = await seedDataset(server.db, { ownerId: ann.id });
    const image = await seedImage(server.db, dataset);
    const category = await seedCategory(server.db, ann.id);
    const [brought, changed] = [
      await seedAnnotation(server.db, image, category),
      await seedAnnotation(server.db, image, category),
    ];
    const { id: import_id } = await server.db
      .insertInto("imports")
      .values({ dataset_id: dataset, file_name: "x.json", state: "complete" })
      .returning("id")
      .executeTakeFirstOrThrow();
    await server.db.updateTable("annotations").set({ import_id }).where("id", "in", [brought, changed]).execute();
    await server.db.updateTable("annotations").set({ revision: 2 }).where("id", "=", changed).execute();
    const imageEvents: AnnotationEvent[] = [];
    const live = { ...server.services.live, notifyImageRoom: (event: AnnotationEvent) => void imageEvents.push(event) };
    await addDefaultMetadata({ db: server.db, live }, dataset, { sex: "?" });
    const rows = await server.db
      .selectFrom("annotations")
      .select(["id", "revision", "import_revision"])
      .where("image_id", "=", image)
      .orderBy("id")
      .execute();
    expect(rows).toEqual([
      { id: brought, revision: 2, import_revision: 2 },
      { id: changed, revision: 3, import_revision: 1 },
    ]);
    expect(imageEvents.map((event) => [event.image_id, event.image_revision])).toEqual([[image, 2]]);
  });

  test("members choose categories, and deleted ones stay listed until they are restored", async () => {
    const [kept, deleted, dropped] = [
      await seedCategory(server.db, ann.id, "kept"),
      await seedCategory(server.db, ann.id, "deleted"),
      await seedCategory(server.db, ann.id, "dropped"),
    ];
    const dataset = await seedDataset(server.db, {
      ownerId: ann.id,
      members: [bob.id],
      categories: [kept, deleted, dropped],
    });
    await seedCategory(server.db, bob.id, "kept");
    await server.db.updateTable("categories").set({ deleted_at: new Date() }).where("id", "=", deleted).execute();
    await bob.post(`dataset/${dataset}`, { categories: ["KEPT", "of bob"] });
    const rows = await server.db
      .selectFrom("dataset_categories")
      .select("category_id")
      .where("dataset_id", "=", dataset)
      .orderBy("category_id")
      .execute();
    const ids = rows.map((row) => row.category_id);
    expect(ids).toHaveLength(3);
    expect(ids.slice(0, 2)).toEqual([kept, deleted]);
    expect((await bob.get(`category/${ids[2]}`)).body).toMatchObject({ name: "of bob", creator: "bob" });
  });

  test("the owner can rename a dataset, whose folder stays, and not to a taken name", async () => {
    const { body: harbour } = await ann.post("dataset/", { name: "Harbour" });
    await ann.post("dataset/", { name: "Taken" });
    await ann.post(`dataset/${harbour.id}/share`, { users: ["bob"] });
    const rename = async (user: TestUser, name: unknown) =>
      (await user.post(`dataset/${harbour.id}`, { name, set_default_metadata: { [`of ${String(name)}`]: "" } })).status;
    expect(await rename(bob, "Bob's")).toBe(403);
    expect(await rename(ann, "tAKEN")).toBe(409);
    for (const name of ["", " quay", "a\u202Eb", 7]) expect(await rename(ann, name)).toBe(400);
    expect(await rename(ann, "HARBOUR")).toBe(200);
    expect(await rename(bob, "HARBOUR")).toBe(200);
    expect(await rename(ann, "Quay")).toBe(200);
    const { body } = await ann.get(`dataset/${harbour.id}/data`);
    expect(body.dataset).toMatchObject({ name: "Quay", directory: expect.stringContaining("Harbour") });
    expect(Object.keys(body.dataset.default_annotation_metadata).sort()).toEqual(["of HARBOUR", "of Quay"]);
    expect((await ann.post("dataset/", { name: "Harbour" })).status).toBe(200);
  });

  test("the annotate URL can be set by the owner, and its origin must be allowed", async () => {
    const dataset = await seedDataset(server.db, { ownerId: ann.id, members: [bob.id] });
    const set = (user: TestUser, annotate_url: string) => user.post(`dataset/${dataset}`, { annotate_url });
    expect((await set(bob, "http://localhost:9000/annotate")).status).toBe(403);
    expect((await set(ann, "http://localhost:9000/annotate")).status).toBe(200);
    expect((await set(bob, "http://localhost:9000/annotate")).status).toBe(200);
    for (const bad of ["https://evil.example/x", "javascript:alert(1)", "http://localhost.evil.example", "x"])
      expect((await set(ann, bad)).status).toBe(400);
    expect((await set(ann, "")).status).toBe(200);
  });
});
