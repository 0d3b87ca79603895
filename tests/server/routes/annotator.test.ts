import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pruneHistory } from "../../../server/features/edits/pruneHistory";
import { describeOnDatabases } from "../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnDatabases("the annotator's calls", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let eve: TestUser;
  let mia: TestUser;
  let datasetId: number;
  let imageId: number;
  let categoryId: number;
  beforeAll(async () => {
    server = await startServer(await open(), { env: { ANNOTATE_ORIGINS: "https://model.example" } });
    ann = await server.user("ann");
    eve = await server.user("eve");
    mia = await server.user("mia");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    categoryId = await seedCategory(server.db, ann.id);
    datasetId = await seedDataset(server.db, { ownerId: ann.id, members: [mia.id], categories: [categoryId] });
    imageId = await seedImage(server.db, datasetId, "m.jpg");
  });

  const square = [10, 10, 30, 10, 30, 30, 10, 30];
  const annotate = async (more: object = {}) =>
    (await ann.post("annotation/", { image_id: imageId, category_id: categoryId, segmentation: [square], ...more }))
      .body;
  const scene = async (query = "?shape=rings", who = ann) => (await who.get(`annotator/data/${imageId}${query}`)).body;
  const image = async () =>
    server.db.selectFrom("images").selectAll().where("id", "=", imageId).executeTakeFirstOrThrow();
  const annotation = async (id: number) => (await ann.get(`annotation/${id}`)).body;

  test("the scene contains the image, its neighbours, and annotations by category", async () => {
    const [before, after] = [
      await seedImage(server.db, datasetId, "a.jpg"),
      await seedImage(server.db, datasetId, "z.jpg"),
    ];
    const made = await annotate();
    const body = await scene();
    expect(body.image).toMatchObject({
      id: imageId,
      previous: before,
      next: after,
      category_ids: [categoryId],
      annotated: true,
      num_annotations: 1,
      revision: 2,
      annotating: [],
    });
    expect(body.categories).toHaveLength(1);
    expect(body.categories[0]).toMatchObject({ id: categoryId, permissions: { edit: true, delete: true } });
    expect(body.categories[0].annotations).toEqual([
      expect.objectContaining({
        id: made.id,
        uuid: made.uuid,
        rings: [[square]],
        rle: null,
        revision: 1,
        creator: "ann",
      }),
    ]);
    expect(body.dataset).toMatchObject({ id: datasetId, owner: "ann", users: ["mia"] });
    expect(body.permissions).toMatchObject({ dataset: { owner: true }, image: { delete: true, download: true } });
    const theirs = await scene("?shape=rings", mia);
    expect(theirs.permissions).toMatchObject({ dataset: { owner: false, edit: true }, image: { delete: false } });
    expect(theirs.categories[0].permissions).toEqual({ edit: false, delete: false });
  });

  test("previous and next follow the list from which the image was opened", async () => {
    const inFolder = await seedImage(server.db, datasetId, "a/z.jpg");
    const body = await scene("?shape=rings&folder=a/&order=-path");
    expect(body.image).toMatchObject({ previous: null, next: inFolder });
  });

  test("unfinished imports and deleted rows are left out; unlisted categories in use are included", async () => {
    const foreign = await seedCategory(server.db, eve.id);
    await seedAnnotation(server.db, imageId, foreign);
    await server.db
      .insertInto("annotations")
      .values({ image_id: imageId, category_id: categoryId, color: "#000000", visible: false })
      .execute();
    const { id } = await annotate();
    await ann.delete(`annotation/${id}`);
    const { categories, deleted } = await scene();
    expect(categories.map((each: { id: number; annotations: [] }) => [each.id, each.annotations.length])).toEqual([
      [categoryId, 0],
      [foreign, 1],
    ]);
    // Only its id is in the scene, so that the others keep their numbers.
    expect(deleted).toEqual([[id, 1]]);
    expect(await scene("")).not.toHaveProperty("deleted");
  });

  test("a crowd is returned as its mask, and a box without a shape as its rectangle", async () => {
    const rle = { size: [480, 640], counts: [0, 960, 480 * 640 - 960] };
    await annotate({ segmentation: rle, iscrowd: true });
    await annotate({ segmentation: undefined, bbox: [1, 2, 3, 4] });
    const [crowd, box] = (await scene()).categories[0].annotations;
    expect(crowd).toMatchObject({ rings: null, rle, iscrowd: true });
    expect(box).toMatchObject({ rings: [[[1, 2, 4, 2, 4, 6, 1, 6]]], isbbox: true, bbox: [1, 2, 3, 4] });
  });

  test("older clients get paper.js JSON around the image's centre", async () => {
    await annotate();
    const [category] = (await scene("")).categories;
    expect(category).toMatchObject({ show: true, visualize: false });
    const [{ paper_object, segmentation, events }] = category.annotations;
    expect([segmentation, events]).toEqual([[square], []]);
    expect(paper_object[0]).toBe("CompoundPath");
    expect(paper_object[1].children[0][1].segments).toContainEqual([10 - 320, 10 - 240]);
  });

  test("users without access get the same 404 as for unknown images", async () => {
    const missing = await ann.get("annotator/data/999999");
    expect(missing.status).toBe(404);
    for (const path of [`annotator/data/${imageId}`, `annotator/edits/${imageId}?since=0`]) {
      const answer = await eve.get(path);
      expect([answer.status, answer.body.message]).toEqual([404, missing.body.message]);
    }
    expect((await eve.post("annotator/data", { image: { id: imageId } })).status).toBe(404);
    expect((await ann.post("annotator/data", { image: { id: 1e12 } })).status).toBe(404);
    expect((await server.visitor().get(`annotator/data/${imageId}`)).status).toBe(401);
  });

  test("a client that has the scene gets 304, until it changes or the client loses access", async () => {
    const made = await annotate();
    const path = `annotator/data/${imageId}?shape=rings`;
    const ask = (tag: string, who = ann, address = path) => who.get(address, { headers: { "If-None-Match": tag } });
    const first = await mia.get(path);
    const tag = first.headers.get("etag") ?? "";
    expect([first.status, first.headers.get("cache-control"), tag]).toEqual([
      200,
      "private, no-cache",
      expect.stringMatching(/^W\/"[\w-]{27}"$/),
    ]);
    const again = await ask(tag, mia);
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag]);
    expect(again.headers.get("cache-control")).toBe("private, no-cache");
    for (const [who, address] of [
      [ann, path],
      [mia, `annotator/data/${imageId}`],
    ] as const)
      expect((await ask(tag, who, address)).status).toBe(200);
    await ann.put(`annotation/${made.id}`, { color: "#123456" });
    const changed = await ask(tag, mia);
    expect([changed.status, changed.body.categories[0].annotations[0].color]).toEqual([200, "#123456"]);
    const now = changed.headers.get("etag") ?? "";
    await server.db.deleteFrom("dataset_members").where("user_id", "=", mia.id).execute();
    const refused = await ask(now, mia);
    expect([refused.status, refused.headers.get("etag"), refused.headers.get("cache-control")]).toEqual([
      404,
      null,
      "no-store",
    ]);
    expect((await ask(now, server.visitor() as typeof ann)).status).toBe(401);
  });

  test("edits are sent in a batch and returned by the catch-up call", async () => {
    const target = randomUUID();
    const edit = {
      uuid: randomUUID(),
      image_id: imageId,
      base: 0,
      subject: "annotation",
      target: target.toUpperCase(),
      action: "create",
      before: {},
      after: { category_id: categoryId, rings: [[square]], color: "#ff0000" },
    };
    const client = "tab-of-ann";
    const sent = await ann.post("annotator/edits", { client, user: ann.id, edits: [edit, "nonsense"] });
    expect(sent.body.answers).toMatchObject([{ status: "applied" }, { status: "refused", uuid: "" }]);
    const { id } = sent.body.answers[0];
    expect((await mia.get(`annotator/edits/${imageId}?since=1`)).body).toEqual({
      revision: 2,
      reload: false,
      changes: [
        {
          image_revision: 2,
          subject: "annotation",
          subject_id: target,
          revision: 1,
          action: "create",
          fields: expect.objectContaining({
            id,
            rings: [[square]],
            area: 400,
            category_id: categoryId,
            creator: "ann",
          }),
          edit: edit.uuid,
          client,
          user: "ann",
        },
      ],
    });
    expect((await mia.get(`annotator/edits/${imageId}?since=2`)).body.changes).toEqual([]);
    expect((await mia.post("annotator/edits", { client, edits: [] })).status).toBe(403);
    expect((await mia.post("annotator/edits", { client: "tab-of-mia", user: ann.id, edits: [edit] })).status).toBe(401);
  });

  test("catching up reports when the image must be loaded again", async () => {
    await annotate();
    await annotate();
    const caughtUp = async (since: number) => (await ann.get(`annotator/edits/${imageId}?since=${since}`)).body;
    expect(await caughtUp(0)).toMatchObject({ reload: false, revision: 3 });
    expect(await caughtUp(9)).toEqual({ reload: true, revision: 3, changes: [] });
    await server.db.updateTable("images").set({ revision: 4, reload_revision: 4 }).where("id", "=", imageId).execute();
    expect(await caughtUp(3)).toMatchObject({ reload: true, revision: 4 });
    expect(await caughtUp(4)).toMatchObject({ reload: false, changes: [] });
  });

  test("old history is deleted except the newest row of a subject, and catching up reports that", async () => {
    const { id, uuid } = await annotate();
    await ann.put(`annotation/${id}`, { color: "#000001" });
    await ann.put(`annotation/${id}`, { color: "#000002" });
    await server.db
      .updateTable("edit_history")
      .set({ created_at: new Date(Date.now() - 10 * 86_400_000) } as never)
      .where("subject_id", "=", uuid)
      .execute();
    expect(await pruneHistory(server.db, 0)).toBe(0);
    expect(await pruneHistory(server.db, 30)).toBe(0);
    expect(await pruneHistory(server.db, 5)).toBe(2);
    const left = await server.db.selectFrom("edit_history").selectAll().where("subject_id", "=", uuid).execute();
    expect(left.map((row) => row.revision)).toEqual([3]);
    expect((await ann.get(`annotator/edits/${imageId}?since=2`)).body).toMatchObject({ reload: true });
    expect((await ann.get(`annotator/edits/${imageId}?since=3`)).body).toMatchObject({ reload: false });
  });

  /** Returns the state as an older client sends it: everything it received, with the user's changes. */
  const oldState = async (change: (state: OldState) => void = () => undefined) => {
    const { image, categories, dataset } = await scene("");
    const state: OldState = {
      mode: "segment",
      user: {},
      dataset,
      image: { id: image.id, metadata: image.metadata, settings: {}, category_ids: image.category_ids },
      settings: { activeTool: "Select", zoom: [0, 0] },
      categories: categories.map((category: OldState["categories"][0] & { annotations: OldAnnotation[] }) => ({
        ...category,
        annotations: category.annotations.map((each) => ({
          id: each.id,
          isbbox: each.isbbox,
          color: each.color,
          metadata: each.metadata,
          keypoints: each.keypoints,
          compoundPath: each.paper_object,
          sessions: [],
        })),
      })),
    };
    change(state);
    return state;
  };
  const save = async (state: unknown, who = ann) => who.post("annotator/data", state);

  test("saving the whole state as it was loaded changes nothing", async () => {
    await annotate({ segmentation: [[10.123456, 10.5, 30.25, 10.049, 30, 30.777, 10.123456, 10.5]] });
    await annotate({ segmentation: { size: [480, 640], counts: [0, 960, 480 * 640 - 960] }, iscrowd: true });
    await annotate({ segmentation: undefined, bbox: [1.5, 2.25, 3, 4] });
    await annotate({ segmentation: undefined, keypoints: [5, 5, 2] });
    const before = await scene();
    expect((await save(await oldState())).body).toMatchObject({ success: true });
    const oneDecimal = JSON.stringify(await oldState(), (_, value) =>
      typeof value === "number" ? Math.round(value * 10) / 10 : value,
    );
    expect((await ann.request("POST", "annotator/data", { body: oneDecimal })).status).toBe(200);
    expect({ ...(await scene()), time_ms: 0 }).toEqual({ ...before, time_ms: 0 });
  });

  test("a changed path is stored, measured and added to the history, and missing parts stay", async () => {
    const [first, second] = [await annotate(), await annotate()];
    const state = await oldState(({ categories }) => {
      const [annotation] = categories[0]?.annotations ?? [];
      if (!annotation) return;
      annotation.compoundPath = [
        "Path",
        {
          closed: true,
          segments: [
            [-320, -240],
            [-310, -240],
            [-310, -230],
            [-320, -230],
          ],
        },
      ];
      annotation.metadata = { name: "moved" };
      categories[0]!.annotations = [annotation, { id: 999_999, compoundPath: "nonsense" } as unknown as OldAnnotation];
    });
    expect((await save(state, mia)).status).toBe(200);
    expect(await annotation(first.id)).toMatchObject({
      segmentation: [[0, 0, 10, 0, 10, 10, 0, 10]],
      area: 100,
      bbox: [0, 0, 10, 10],
      metadata: { name: "moved" },
      revision: 2,
    });
    expect({ ...(await annotation(second.id)), paper_object: [] }).toEqual(second);
    expect(await image()).toMatchObject({ num_annotations: 2, annotated: true });
    const { changes } = (await ann.get(`annotator/edits/${imageId}?since=3`)).body;
    expect(changes).toMatchObject([{ action: "modify", user: "mia", client: null }]);
  });

  test("a box changed by the eraser is no longer a box, though it is still sent as one", async () => {
    const { id } = await annotate({ segmentation: undefined, bbox: [10, 10, 20, 20] });
    const annotations = [{ id, isbbox: true, compoundPath: ["CompoundPath", { children: [] }] }];
    expect((await save({ image: { id: imageId }, categories: [{ id: categoryId, annotations }] })).status).toBe(200);
    expect(await annotation(id)).toMatchObject({ segmentation: [], isbbox: false, bbox: [0, 0, 0, 0], revision: 2 });
    expect(await image()).toMatchObject({ num_annotations: 0, annotated: false });
  });

  test("omitted fields of an annotation stay: clients send the path only if it changed", async () => {
    const { id, segmentation, area, color } = await annotate();
    const only = (annotation: object) => ({
      image: { id: imageId },
      categories: [{ id: categoryId, annotations: [annotation] }],
    });
    expect((await save(only({ id, metadata: { name: "no path" } }))).status).toBe(200);
    expect(await annotation(id)).toMatchObject({
      segmentation,
      area,
      color,
      metadata: { name: "no path" },
      revision: 2,
    });
    expect((await save(only({ id }))).status).toBe(200);
    expect(await annotation(id)).toMatchObject({ metadata: { name: "no path" }, revision: 2 });
  });

  test("an unreadable path is refused, and nothing of the save is stored", async () => {
    await annotate();
    const state = await oldState(({ categories, image }) => {
      image.metadata = { a: 1 };
      categories[0]!.annotations[0]!.compoundPath = ["Raster", { source: "http://example.org" }];
    });
    const answer = await save(state);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain("compoundPath");
    expect((await image()).metadata).toEqual({});
  });

  test("time spent counts once, however often a state is saved", async () => {
    const { id } = await annotate();
    const state = await oldState(({ categories }) => {
      categories[0]!.annotations[0]!.sessions = [
        { start: 1_700_000_000_000, milliseconds: 1500, tools: ["Polygon"] },
        { start: 1_700_000_100_000, milliseconds: 500, tools: [] },
        { start: "yesterday", milliseconds: -5 },
      ];
    });
    await save(state);
    await save(state);
    expect((await annotation(id)).milliseconds).toBe(2000);
  });

  test("ticks are added in both modes and removed in label mode alone", async () => {
    const [b, c] = [await seedCategory(server.db, ann.id), await seedCategory(server.db, ann.id)];
    const theirs = await seedCategory(server.db, eve.id);
    await annotate();
    const tick = async (mode: string, ids: number[]) => {
      await save({ mode, image: { id: imageId, category_ids: ids } });
      const sent = (await scene()).image;
      const { labels } = await image();
      expect(sent.labels).toEqual(labels);
      return { labels, sent: sent.category_ids };
    };
    expect(await tick("segment", [categoryId, b])).toEqual({ labels: [b], sent: [categoryId, b] });
    expect(await tick("segment", [categoryId])).toMatchObject({ labels: [b] });
    expect(await tick("label", [categoryId, c, theirs, 999_999, -1, 0.5])).toMatchObject({ labels: [c] });
    expect(await tick("label", [])).toEqual({ labels: [], sent: [categoryId] });
    expect(await image()).toMatchObject({ num_annotations: 1, annotated: true });
  });

  test("a label that the dataset no longer lists is visible, so that it can be unticked", async () => {
    const [kept, trashed] = [await seedCategory(server.db, ann.id), await seedCategory(server.db, ann.id)];
    await save({ mode: "label", image: { id: imageId, category_ids: [kept, trashed] } });
    await server.db.deleteFrom("dataset_categories").where("dataset_id", "=", datasetId).execute();
    await ann.delete(`category/${trashed}`);
    const { image: sent, categories } = await scene();
    expect(sent.labels).toEqual([kept, trashed]);
    expect(categories.map(({ id }: { id: number }) => id)).toEqual([kept]);
  });

  test("a category's name and colour are changed by its creator, an annotate URL by the owner", async () => {
    const state = await oldState(({ categories, dataset }) => {
      Object.assign(categories[0]!, { color: "#010203", keypoint_labels: ["a", "b"], keypoint_edges: [[1, 2]] });
      dataset.annotate_url = "https://model.example/annotate";
    });
    const category = async () => (await ann.get(`category/${categoryId}`)).body;
    const before = await category();
    expect((await save(state, mia)).status).toBe(200);
    expect(await category()).toEqual(before);
    expect((await scene()).dataset.annotate_url).toBe("");
    expect((await save(state)).status).toBe(200);
    expect(await category()).toMatchObject({ color: "#010203", keypoint_labels: ["a", "b"], keypoint_edges: [[1, 2]] });
    expect((await scene()).dataset.annotate_url).toBe("https://model.example/annotate");
    state.dataset.annotate_url = "https://elsewhere.example";
    expect((await save(state)).status).toBe(400);
  });

  test("labels and keypoints sent in one save belong together", async () => {
    const { id } = await annotate();
    const state = await oldState(({ categories }) => {
      Object.assign(categories[0]!, { keypoint_labels: ["a", "b"] });
      categories[0]!.annotations[0]!.keypoints = [1, 1, 2, 2, 2, 1];
    });
    await save(state);
    expect(await annotation(id)).toMatchObject({ keypoints: [1, 1, 2, 2, 2, 1], num_keypoints: 2 });
  });

  test("preferences are merged by key", async () => {
    await save({ user: { bbox: { a: 1 }, polygon: 2 }, image: { id: imageId } });
    await save({ user: { polygon: 3 }, image: { id: imageId } });
    expect((await scene()).preferences).toEqual({ bbox: { a: 1 }, polygon: 3 });
  });

  test.each([
    ["no image", {}],
    ["a text for the image's id", { image: { id: "1" } }],
    ["a text for the categories", { image: { id: 1 }, categories: "all" }],
    ["metadata that is a list", { image: { id: 1, metadata: [1] } }],
  ])("a state with %s is refused", async (_, state) => {
    expect((await save(state)).status).toBe(400);
  });

  test("JSON that is nested too deep is refused", async () => {
    const deep = `{"image":{"id":${imageId},"metadata":{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}}}`;
    const headers = { "Content-Type": "application/json" };
    expect((await ann.request("POST", "annotator/data", { body: deep, headers })).status).toBe(400);
  });
});

interface OldAnnotation {
  id: number;
  isbbox: boolean;
  color: string;
  metadata: object;
  keypoints: number[];
  paper_object?: unknown;
  compoundPath: unknown;
  sessions: unknown[];
}

interface OldState {
  mode: string;
  user: object;
  dataset: { annotate_url: string };
  image: { id: number; metadata: object; settings: object; category_ids: number[] };
  settings: object;
  categories: { annotations: OldAnnotation[] }[];
}
