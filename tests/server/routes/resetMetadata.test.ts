import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { resetMetadata } from "../../../server/features/datasets/resetMetadata";
import type { AnnotationEvent } from "../../../shared/events";
import { describeOnBothDatabases } from "../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnBothDatabases("resetting a dataset's metadata", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let mia: TestUser;
  let eve: TestUser;
  let category: number;
  let datasetId: number;
  let image: number;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    mia = await server.user("mia");
    eve = await server.user("eve");
    category = await seedCategory(server.db, ann.id);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    datasetId = await seedDataset(server.db, { ownerId: ann.id, members: [mia.id], categories: [category] });
    await server.db
      .updateTable("datasets")
      .set({ default_annotation_metadata: JSON.stringify({ weather: "dry" }) })
      .where("id", "=", datasetId)
      .execute();
    image = await seedImage(server.db, datasetId);
  });

  const annotated = async (metadata: object, imageId = image) => {
    const id = await seedAnnotation(server.db, imageId, category);
    await server.db
      .updateTable("annotations")
      .set({ metadata: JSON.stringify(metadata) })
      .where("id", "=", id)
      .execute();
    return id;
  };
  const row = (id: number) =>
    server.db.selectFrom("annotations").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const imageFile = (id = image) =>
    server.db.selectFrom("images").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  test("resets annotations to the default and images to none, also in the trash, and leaves other datasets alone", async () => {
    const named = await annotated({ name: "Tom", weather: "wet" });
    const trashed = await annotated({ a: 1 });
    await ann.delete(`annotation/${trashed}`);
    const elsewhere = await annotated({ a: 1 }, await seedImage(server.db, await seedDataset(server.db)));
    await server.db.updateTable("images").set({ metadata: '{"place":"here"}' }).where("id", "=", image).execute();
    const answer = await ann.post(`dataset/${datasetId}/reset/metadata`);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await row(named)).metadata).toEqual({ weather: "dry" });
    expect((await row(trashed)).metadata).toEqual({ weather: "dry" });
    expect((await row(elsewhere)).metadata).toEqual({ a: 1 });
    expect((await imageFile()).metadata).toEqual({});
  });

  test("raises revisions only if something changes, so that open pages load the image again", async () => {
    const named = await annotated({ name: "Tom" });
    const same = await annotated({ weather: "dry" }, await seedImage(server.db, datasetId));
    const [before, unchanged] = [await imageFile(), await row(same)];
    await ann.post(`dataset/${datasetId}/reset/metadata`);
    expect((await row(named)).revision).toBe(2);
    expect(await row(same)).toEqual(unchanged);
    const caughtUp = await mia.get(`annotator/edits/${image}?since=${before.revision}`);
    expect(caughtUp.body).toMatchObject({ reload: true, revision: before.revision + 1 });
    const again = await imageFile();
    await ann.post(`dataset/${datasetId}/reset/metadata`);
    expect(await imageFile()).toEqual(again);
  });

  test("notifies each changed image's room once", async () => {
    const other = await seedImage(server.db, datasetId);
    for (const id of [image, image, other]) await annotated({ a: 1 }, id);
    const notified: AnnotationEvent[] = [];
    const live = { ...server.services.live, notifyImageRoom: (event: AnnotationEvent) => void notified.push(event) };
    const user = { id: ann.id, username: "ann", name: "", isAdmin: false, anonymous: false };
    await resetMetadata({ db: server.db, live }, user, datasetId);
    expect(notified.map((event) => [event.image_id, event.image_revision])).toEqual([
      [image, 2],
      [other, 2],
    ]);
  });

  test("leaves an import undoable as a whole", async () => {
    const id = await annotated({ a: 1 });
    const { id: importId } = await server.db
      .insertInto("imports")
      .values({ dataset_id: datasetId, file_name: "x.json", state: "complete" })
      .returning("id")
      .executeTakeFirstOrThrow();
    await server.db
      .updateTable("annotations")
      .set({ import_id: importId, import_item: 1 })
      .where("id", "=", id)
      .execute();
    await ann.post(`dataset/${datasetId}/reset/metadata`);
    const { revision, import_revision } = await row(id);
    expect([revision, import_revision]).toEqual([2, 2]);
  });

  test("works through pages, and two at once do no harm", async () => {
    const values = Array.from({ length: 2500 }, () => ({
      image_id: image,
      category_id: category,
      color: "#336699",
      metadata: '{"a":1}',
    }));
    await server.db.insertInto("annotations").values(values).execute();
    const reset = () => ann.post(`dataset/${datasetId}/reset/metadata`);
    const answers = await Promise.all([reset(), reset()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await server.db
      .selectFrom("annotations")
      .select(["metadata", "revision"])
      .where("image_id", "=", image)
      .execute();
    expect(rows.length).toBe(2500);
    for (const { metadata, revision } of rows) expect([metadata, revision]).toEqual([{ weather: "dry" }, 2]);
  });

  test("the reset is for the owner; older clients use GET, which pages of other sites cannot", async () => {
    const id = await annotated({ a: 1 });
    for (const method of ["GET", "POST"]) {
      const refused = await mia.request(method, `dataset/${datasetId}/reset/metadata`);
      expect([refused.status, refused.body.message]).toEqual([403, "You do not have permission to reset the metadata"]);
      expect((await eve.request(method, `dataset/${datasetId}/reset/metadata`)).status).toBe(404);
      expect((await server.visitor().request(method, `dataset/${datasetId}/reset/metadata`)).status).toBe(401);
    }
    const foreign = await ann.get(`dataset/${datasetId}/reset/metadata`, {
      headers: { Origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    expect((await row(id)).metadata).toEqual({ a: 1 });
    expect((await ann.get(`dataset/${datasetId}/reset/metadata`)).status).toBe(200);
    expect((await row(id)).metadata).toEqual({ weather: "dry" });
  });
});
