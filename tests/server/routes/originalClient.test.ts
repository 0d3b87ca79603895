import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBothDatabases } from "../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

/** Requests of the original Vue client except its saves, and the parts of the responses that it reads. */
describeOnBothDatabases("the original client's calls", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let dataset: number;
  let category: number;
  const images: number[] = [];
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    category = await seedCategory(server.db, ann.id);
    const other = await seedCategory(server.db, ann.id);
    dataset = await seedDataset(server.db, { ownerId: ann.id, categories: [category, other] });
    for (const path of ["0 mine.jpg", "1 other.jpg", "2 bare.jpg"])
      images.push(await seedImage(server.db, dataset, path));
    await seedAnnotation(server.db, images[0]!, category);
    await seedAnnotation(server.db, images[1]!, other);
    await server.db.updateTable("annotations").set({ area: 5 }).execute();
    for (const id of images.slice(0, 2))
      await server.db.updateTable("images").set({ annotated: true, num_annotations: 1 }).where("id", "=", id).execute();
  });
  afterAll(() => server.close());

  const listed = async (query: string) =>
    (await ann.get(`dataset/${dataset}/data?${query}`)).body.images.map(({ id }: { id: number }) => images.indexOf(id));

  test("a new annotation has an empty paper_object, whose length the box tool reads", async () => {
    const { status, body } = await ann.post("annotation/", { image_id: images[2], category_id: category });
    expect([status, body.paper_object]).toEqual([200, []]);
    await ann.delete(`annotation/${body.id}`);
  });

  test("generating accepts the limit as text, as the field sends it", async () => {
    const call = (limit: unknown) => ann.post(`dataset/${dataset}/generate`, { keywords: ["cats"], limit });
    expect(await call("5")).toMatchObject({ status: 200, body: { success: true } });
    const task = await server.db.selectFrom("tasks").select("payload").orderBy("id", "desc").executeTakeFirstOrThrow();
    expect(task.payload).toMatchObject({ keywords: ["cats"], limit: 5 });
    for (const limit of ["", "many", "0", "1001"]) expect((await call(limit)).status).toBe(400);
  });

  test("categories restrict the annotated images; with both toggles on, images without annotations are listed too", async () => {
    expect(await listed(`category_ids__in=${category}`)).toEqual([0, 2]);
    expect(await listed(`category_ids__in=${category}&annotated=true`)).toEqual([0]);
    expect(await listed(`category_ids__in=${category}&annotated=false`)).toEqual([2]);
    expect(await listed("")).toEqual([0, 1, 2]);
  });

  test("with both toggles off, which is sent as a blank, nothing is listed", async () => {
    const { body } = await ann.get(`dataset/${dataset}/data?annotated=+`);
    expect([body.images, body.total]).toEqual([[], 0]);
    expect(await listed(`annotated=+&category_ids__in=${category}`)).toEqual([]);
    expect(await listed("annotated=")).toEqual([0, 1, 2]);
  });
});
