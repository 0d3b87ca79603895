import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tidyTransfers } from "../../../server/features/imports/tidyTransfers";
import { filesOf, filesOfAttempt } from "../../../server/features/versions/versionFiles";
import { importFile, runQueuedTask, seedImages } from "../../support/coco";
import { describeOnBothDatabases } from "../../support/databases";
import { seedDataset } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnBothDatabases("dataset versions", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let datasetId: number;

  const file = (boxes: readonly number[]) => ({
    images: [
      { id: 1, file_name: "a.jpg" },
      { id: 2, file_name: "sub/b.jpg" },
    ],
    categories: [
      { id: 1, name: "cat" },
      { id: 2, name: "dog" },
    ],
    annotations: boxes.map((x, i) => ({ image_id: 1 + (i % 2), category_id: 1 + (i % 2), bbox: [x, 1, 5, 5] })),
  });

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    bob = await server.user("bob");
    datasetId = await seedDataset(server.db, { name: "Hühner", ownerId: ann.id, members: [bob.id] });
    await seedImages(server, datasetId, [
      { file_name: "a.jpg", width: 100, height: 80 },
      { file_name: "sub/b.jpg", width: 100, height: 80 },
      { file_name: "empty.jpg", width: 100, height: 80 },
    ]);
    await importFile(server, ann, datasetId, file([1, 11, 21]));
  });
  afterAll(() => server.close());

  async function keep(name: string, note = ""): Promise<number> {
    const { status, body } = await ann.post(`dataset/${datasetId}/versions`, { name, note });
    expect(status).toBe(200);
    return versionOf(body.id);
  }
  async function versionOf(taskId: number): Promise<number> {
    await runQueuedTask(server, taskId);
    const { id } = await server.db
      .selectFrom("versions")
      .select("id")
      .where("task_id", "=", taskId)
      .executeTakeFirstOrThrow();
    return id;
  }
  const bytesOf = (id: number) => ann.get(`version/${id}/download`);
  const annotationIds = async () =>
    (
      await server.db.selectFrom("annotations").select("id").where("deleted_at", "is", null).orderBy("id").execute()
    ).map(({ id }) => id);

  it("keeps its files when a server starts and deletes what nothing needs", async () => {
    const id = await keep("kept");
    const { transfers } = server.services.files;
    const stray = ["stray.json", "version-999-1.json.gz"];
    for (const name of stray) await transfers.writeExport(name, Readable.from(["{}"]));
    const before = await bytesOf(id);
    await tidyTransfers(server.services, { alone: true });
    const after = await bytesOf(id);
    expect([after.status, after.text]).toEqual([200, before.text]);
    expect((await ann.get(`version/${id}/compare/${id}`)).status).toBe(200);
    const names = (await transfers.listExports()).map(({ name }) => name);
    // The file of an unknown version may belong to a newer backup.
    expect(stray.map((name) => names.includes(name))).toEqual([false, true]);
    await transfers.removeExport("version-999-1.json.gz");
    expect((await ann.delete(`version/${id}`)).status).toBe(200);
  });

  it("keeps the same bytes while the dataset changes, and counts the differences", async () => {
    const first = await keep("v1", "for training");
    const before = await bytesOf(first);
    const coco = JSON.parse(before.text);
    expect(coco.info).toMatchObject({ description: "Hühner", version: "v1" });
    expect(coco.images).toHaveLength(3);
    expect(coco.annotations).toHaveLength(3);
    expect(before.headers.get("content-disposition")).toContain("v1.json");

    const [changed = 0, removed = 0] = await annotationIds();
    await server.db
      .updateTable("annotations")
      .set({ color: "#123456", iscrowd: true })
      .where("id", "=", changed)
      .execute();
    expect((await ann.delete(`annotation/${removed}`)).status).toBe(200);
    await importFile(server, ann, datasetId, file([31, 41, 51, 61]));
    expect((await bytesOf(first)).text).toBe(before.text);

    const second = await keep("v2");
    const { body: comparison } = await ann.get(`version/${first}/compare/${second}`);
    expect(comparison).toMatchObject({
      images: { added: 0, removed: 0, changed: 0 },
      annotations: { added: 4, removed: 1, changed: 1 },
      categories: [
        { name: "cat", added: 2, removed: 0, changed: 1 },
        { name: "dog", added: 2, removed: 1, changed: 0 },
      ],
    });
    const { body: reverse } = await ann.get(`version/${second}/compare/${first}`);
    expect(reverse.annotations).toEqual({ added: 1, removed: 4, changed: 1 });
    const { body: same } = await ann.get(`version/${first}/compare/${first}`);
    expect(same).toEqual({
      images: { added: 0, removed: 0, changed: 0 },
      annotations: { added: 0, removed: 0, changed: 0 },
      categories: [],
    });

    const { body: list } = await ann.get(`dataset/${datasetId}/versions`);
    expect(list.map(({ name }: { name: string }) => name)).toEqual(["v2", "v1"]);
    expect(list[1]).toMatchObject({
      ...{ note: "for training", creator: "ann", images: 3, annotations: 3 },
      categories: [
        { name: "cat", annotations: 2 },
        { name: "dog", annotations: 1 },
      ],
      bytes: Buffer.byteLength(before.text),
      sha256: createHash("sha256").update(before.text).digest("hex"),
    });
    const { body: manifest } = await ann.get(`version/${first}/manifest`);
    expect(manifest).toEqual({ dataset: "Hühner", version: list[1] });
  });

  it("refuses a second version of the same name, and one without a name", async () => {
    await keep("taken");
    expect(await ann.post(`dataset/${datasetId}/versions`, { name: " taken " })).toMatchObject({ status: 409 });
    expect(await ann.post(`dataset/${datasetId}/versions`, { name: "  " })).toMatchObject({ status: 400 });
  });

  it("refuses a name that a version in the making has, unless the same user sends the same again", async () => {
    const path = `dataset/${datasetId}/versions`;
    const eve = await server.user("eve");
    await server.db
      .insertInto("dataset_members")
      .values({ dataset_id: datasetId, user_id: eve.id, role: "maintainer" })
      .execute();
    const first = await ann.post(path, { name: "made", note: "before the corrections" });
    expect([first.status, first.body.existing]).toEqual([200, undefined]);
    expect(await ann.post(path, { name: "made", note: "before the corrections" })).toMatchObject({
      status: 200,
      body: { id: first.body.id, existing: true },
    });
    const others = [
      await eve.post(path, { name: "made", note: "with the corrections" }),
      await eve.post(path, { name: "made", note: "before the corrections" }),
      await ann.post(path, { name: "made", note: "with the corrections" }),
    ];
    for (const { status, body } of others)
      expect([status, body.message]).toEqual([409, "The dataset has a version of this name."]);
    // A refused user does not follow the task.
    const followers = await server.db
      .selectFrom("task_followers")
      .select("user_id")
      .where("task_id", "=", first.body.id)
      .execute();
    expect(followers).toEqual([{ user_id: ann.id }]);
    await versionOf(first.body.id);
    const { body: list } = await ann.get(path);
    expect(list[0]).toMatchObject({ name: "made", note: "before the corrections", creator: "ann" });
  });

  it("writes new files if an earlier attempt of its task has died", async () => {
    const { body } = await ann.post(`dataset/${datasetId}/versions`, { name: "second attempt" });
    const { transfers } = server.services.files;
    const [left] = filesOf(filesOfAttempt(body.id, 1)) as [string];
    await transfers.writeExport(left, Readable.from(["half a file"]));
    await server.db.updateTable("tasks").set({ attempts: 1 }).where("id", "=", body.id).execute();
    const id = await versionOf(body.id);
    expect(JSON.parse((await bytesOf(id)).text).info.version).toBe("second attempt");
    expect(await transfers.readExport(left)).toBeUndefined();
  });

  it("compares only versions of one dataset", async () => {
    const id = await keep("here");
    const other = await seedDataset(server.db, { name: "other", ownerId: ann.id });
    const { body } = await ann.post(`dataset/${other}/versions`, { name: "there" });
    const there = await versionOf(body.id);
    expect(await ann.get(`version/${id}/compare/${there}`)).toMatchObject({ status: 400 });
  });

  it("deletes a version with its files", async () => {
    const id = await keep("unwanted");
    const { file, entries_file } = await server.db
      .selectFrom("versions")
      .select(["file", "entries_file"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect((await ann.delete(`version/${id}`)).status).toBe(200);
    expect(await ann.get(`version/${id}/manifest`)).toMatchObject({ status: 404 });
    const { files } = server.services;
    expect(await files.transfers.readExport(file)).toBeUndefined();
    expect(await files.transfers.readExport(entries_file)).toBeUndefined();
  });
});
