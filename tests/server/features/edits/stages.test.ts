import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HistoryStep } from "../../../../shared/api/history";
import { describeOnDatabases } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnDatabases("stages of images", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let dataset: number;
  let image: number;
  let names = 0;

  beforeAll(async () => {
    server = await startServer(await open());
    [ann, bob] = [await server.user("ann"), await server.user("bob")];
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    dataset = (await ann.post("dataset/", { name: `stages ${++names}` })).body.id;
    await ann.post(`dataset/${dataset}/share`, { users: ["bob"] });
    image = await seedImage(server.db, dataset, "a.jpg");
  });

  const clients = new Map<TestUser, string>();
  const clientOf = (user: TestUser) => clients.get(user) ?? clients.set(user, randomUUID()).get(user)!;
  const askForReview = (review = true, by = ann) => by.post(`dataset/${dataset}`, { review });
  async function edit(by: TestUser, before: object, after: object, id = image) {
    const { revision: base } = await rowOf(id);
    const sent = { uuid: randomUUID(), image_id: id, base, subject: "image", action: "modify", before, after };
    return (await by.post("annotator/edits", { client: clientOf(by), edits: [sent] })).body.answers[0];
  }
  const move = async (by: TestUser, stage: string, id = image) =>
    edit(by, { stage: (await rowOf(id)).stage }, { stage }, id);
  const mark = (by: TestUser, json: object) => by.post(`dataset/${dataset}/images/mark`, json);
  const rowOf = (id = image) =>
    server.db.selectFrom("images").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const pathsOf = async (query: string) =>
    (await bob.get(`dataset/${dataset}/data?order=path&${query}`)).body.images.map(
      ({ path }: { path: string }) => path,
    );
  const countsOf = async () => (await bob.get(`dataset/${dataset}/data`)).body.dataset.stages;
  const cardCountsOf = async () =>
    (await bob.get("dataset/data?limit=100")).body.datasets.find(({ id }: { id: number }) => id === dataset).stages;

  it("a dataset without review accepts what is marked as done, and shows no counts", async () => {
    expect(await edit(bob, { done: false }, { done: true })).toMatchObject({ status: "applied" });
    expect(await rowOf()).toMatchObject({ done: true, stage: "accepted", returned_by: null });
    expect([await countsOf(), await cardCountsOf()]).toEqual([null, null]);
    expect(await edit(bob, { done: true }, { done: false })).toMatchObject({ status: "applied" });
    expect(await rowOf()).toMatchObject({ done: false, stage: "open" });
  });

  it("only the owner asks for review", async () => {
    expect((await askForReview(true, bob)).status).toBe(403);
    expect((await askForReview()).status).toBe(200);
    expect((await bob.get(`dataset/${dataset}`)).body).toMatchObject({ review: true, permissions: { review: false } });
    expect((await ann.get(`dataset/${dataset}`)).body).toMatchObject({ review: true, permissions: { review: true } });
  });

  it("a command leaves an image alone that has reached another stage since it was seen", async () => {
    await askForReview();
    await mark(bob, { ids: [image], done: true });
    await mark(bob, { ids: [image], done: false });
    const seen = [{ stage: "to_review", ids: [image] }];
    const { body } = await mark(ann, { ids: [image], stage: "accepted", seen });
    expect(body).toMatchObject({ changed: 0, failed: 1, undo: null });
    expect(body.failures[0].message).toMatch(/^The stage of .* has changed since\.$/);
    expect(await rowOf()).toMatchObject({ stage: "open" });
    expect((await mark(ann, { ids: [image], stage: "open", seen })).body).toMatchObject({ changed: 1, failed: 0 });
    expect(
      (await mark(ann, { ids: [image], stage: "accepted", seen: [{ stage: "open", ids: [image] }] })).body,
    ).toMatchObject({ changed: 1, failed: 0 });
  });

  describe("a command on all images of a list", () => {
    let other: number;
    const select = async (query = "") => (await ann.get(`dataset/${dataset}/images/selection?${query}`)).body;
    const acceptAll = (json: object) => mark(ann, { filter: {}, stage: "accepted", ...json });

    beforeEach(async () => {
      other = await seedImage(server.db, dataset, "b.jpg");
      await askForReview();
      await mark(bob, { ids: [image, other], done: true });
    });

    it("changes nothing and asks again if another user has moved an image since all were selected", async () => {
      const selected = await select();
      await mark(ann, { ids: [image], stage: "returned" });
      const { status, body } = await acceptAll(selected);
      expect([status, body.code]).toEqual([409, "total_changed"]);
      expect(body.facts).toEqual({ total: 2, digest: selected.digest, stages: (await select()).stages });
      expect(body.message).toMatch(/^The stage of images has changed since/);
      expect([await rowOf(), await rowOf(other)]).toMatchObject([
        { stage: "returned", returned_by: "ann" },
        { stage: "to_review" },
      ]);
      expect((await acceptAll(body.facts)).body).toMatchObject({ changed: 2, failed: 0 });
    });

    it("is not refused because of assignments, nor are assignments because of stages", async () => {
      const { assignees, ...selected } = await select();
      const assign = (json: object) => ann.post(`dataset/${dataset}/images/assign`, json);
      await assign({ ids: [image], users: ["bob"] });
      expect((await acceptAll(selected)).body).toMatchObject({ changed: 2, failed: 0 });
      const { stages: _, ...now } = await select();
      await mark(ann, { ids: [image], stage: "returned" });
      expect((await assign({ filter: {}, users: [], ...now, assignees })).body.facts).toEqual(now);
      expect((await assign({ filter: {}, users: [], ...now })).body).toMatchObject({ changed: 2, failed: 0 });
    });

    it("leaves alone the images that the user saw in another stage, and changes the others", async () => {
      const selected = await select();
      const seen = [{ stage: "to_review", ids: [image] }];
      await mark(ann, { ids: [image], stage: "returned" });
      const { body } = await acceptAll({ ...selected, seen });
      expect(body).toMatchObject({
        changed: 1,
        failures: [{ id: image, message: expect.stringMatching(/^The stage of /) }],
      });
      expect(await rowOf()).toMatchObject({ stage: "returned", returned_by: "ann" });
      const further = await seedImage(server.db, dataset, "c.jpg");
      const all = await select();
      await mark(bob, { ids: [further], done: true });
      const asked = await acceptAll({ ...all, seen });
      expect([asked.status, asked.body.facts.total]).toEqual([409, 3]);
      expect((await acceptAll({ ...asked.body.facts, seen })).body).toMatchObject({ changed: 2, failed: 1 });
      expect(await rowOf()).toMatchObject({ stage: "returned", returned_by: "ann" });
    });

    it("of a script that sends only the number of images is carried out", async () => {
      await mark(ann, { ids: [image], stage: "returned" });
      expect((await acceptAll({ total: 2 })).body).toMatchObject({ changed: 2, failed: 0 });
    });

    it("refuses a digest of stages for images by id", async () => {
      const { stages } = await select();
      expect((await mark(ann, { ids: [image], done: true, stages })).status).toBe(400);
    });
  });

  it("an annotator submits, a reviewer returns and accepts, and the history says who and when", async () => {
    await askForReview();
    expect(await edit(bob, { done: false }, { done: true })).toMatchObject({ status: "applied" });
    expect(await rowOf()).toMatchObject({ done: true, stage: "to_review" });
    for (const stage of ["accepted", "returned"])
      expect(await move(bob, stage)).toMatchObject({ status: "refused", reason: expect.stringMatching(/reviewers/) });
    expect(await move(ann, "returned")).toMatchObject({ status: "applied" });
    const scene = (await bob.get(`annotator/data/${image}?shape=rings`)).body.image;
    expect(scene).toMatchObject({ stage: "returned", done: false, returned_by: "ann" });
    expect(Date.now() - Date.parse(scene.returned_at)).toBeLessThan(600_000);
    expect(await move(bob, "to_review")).toMatchObject({ status: "applied" });
    expect(await move(bob, "returned")).toMatchObject({ status: "applied" });
    expect(await rowOf()).toMatchObject({ stage: "returned", returned_by: "ann" });
    await move(bob, "to_review");
    expect(await move(ann, "accepted")).toMatchObject({ status: "applied" });
    expect(await rowOf()).toMatchObject({ stage: "accepted", done: true, returned_by: null });
    expect(await move(bob, "open")).toMatchObject({ status: "refused" });
    expect(await edit(bob, { done: true }, { done: false })).toMatchObject({ status: "refused" });
    const { changes } = (await bob.get(`annotator/edits/${image}?since=0`)).body;
    const told = changes.map(
      ({ user, fields }: { user: string; fields: { stage: string } }) => `${user} ${fields.stage}`,
    );
    expect(told).toEqual([
      "bob to_review",
      "ann returned",
      "bob to_review",
      "bob returned",
      "bob to_review",
      "ann accepted",
    ]);
    const { steps } = (await bob.get(`annotator/history/${image}`)).body;
    expect(steps.map(({ user, stage }: HistoryStep) => `${user} ${stage}`)[0]).toBe("ann accepted");
  });

  it("a submission that meets a decision of the reviewer is a conflict", async () => {
    await askForReview();
    const { revision: base } = await rowOf();
    await move(ann, "accepted");
    const sent = { uuid: randomUUID(), image_id: image, base, subject: "image", action: "modify" };
    const late = { ...sent, before: { stage: "open" }, after: { stage: "to_review" } };
    const { body } = await bob.post("annotator/edits", { client: clientOf(bob), edits: [late] });
    expect(body.answers[0]).toMatchObject({ status: "conflict", fields: ["done"], stored: { stage: "accepted" } });
  });

  it("many images change at once, each with an entry in its history; those that the user may not move are named", async () => {
    await askForReview();
    const others = [await seedImage(server.db, dataset, "b.jpg"), await seedImage(server.db, dataset, "c.jpg")];
    const ids = [image, ...others];
    await move(ann, "accepted", others[1]);
    expect((await mark(bob, { ids, done: true })).body).toMatchObject({ changed: 3, failed: 0 });
    expect(await pathsOf("stage=to_review")).toEqual(["a.jpg", "b.jpg"]);
    const refused = await mark(bob, { ids, stage: "open" });
    expect(refused.body).toMatchObject({ changed: 2, failed: 1, failures: [{ id: others[1] }] });
    expect(await pathsOf("stage=open")).toEqual(["a.jpg", "b.jpg"]);
    expect((await bob.post(`dataset/${dataset}/images/undo`, { undo: refused.body.undo })).body).toMatchObject({
      changed: 2,
    });
    const accepted = await mark(ann, { filter: {}, stage: "accepted" });
    await move(ann, "returned", others[0]);
    const undone = await ann.post(`dataset/${dataset}/images/undo`, { undo: accepted.body.undo });
    expect(undone.body).toMatchObject({
      changed: 1,
      failures: [{ id: others[0], message: "The stage of b.jpg has changed since." }],
    });
    expect(await rowOf()).toMatchObject({ stage: "to_review", done: true });
    const { changes } = (await bob.get(`annotator/edits/${image}?since=0`)).body;
    expect(
      changes.map(({ user, fields }: { user: string; fields: { stage: string } }) => `${user} ${fields.stage}`),
    ).toEqual(["bob to_review", "bob open", "bob to_review", "ann accepted", "ann to_review"]);
    expect((await mark(bob, { ids, done: true, stage: "open" })).status).toBe(400);
    expect((await mark(bob, { ids })).status).toBe(400);
  });

  it("lists, counts and exports tell the stages apart", async () => {
    await askForReview();
    const annotated = await seedImage(server.db, dataset, "b.jpg");
    const category = await seedCategory(server.db, ann.id);
    await seedAnnotation(server.db, annotated, category);
    await server.db.updateTable("images").set({ annotated: true }).where("id", "=", annotated).execute();
    const submitted = await seedImage(server.db, dataset, "c.jpg");
    const accepted = await seedImage(server.db, dataset, "d.jpg");
    await move(bob, "to_review", submitted);
    await move(ann, "accepted", accepted);
    expect(await pathsOf("stage=new")).toEqual(["a.jpg"]);
    expect(await pathsOf("stage=annotating")).toEqual(["b.jpg"]);
    expect(await pathsOf("stage=new,accepted")).toEqual(["a.jpg", "d.jpg"]);
    expect((await bob.get(`dataset/${dataset}/data?stage=finished`)).status).toBe(400);
    const counts = { to_review: 1, returned: 0, accepted: 1 };
    expect([await countsOf(), await cardCountsOf()]).toEqual([counts, counts]);
    const query = "with_empty_images=true&only_accepted=true";
    const { images } = (await ann.get(`dataset/${dataset}/coco?${query}`)).body;
    expect(images.map(({ file_name }: { file_name: string }) => file_name)).toEqual(["d.jpg"]);
    await askForReview(false);
    expect(await countsOf()).toEqual(counts);
  });

  it("copies for offline work have the stages", async () => {
    await askForReview();
    await move(ann, "returned");
    const manifest = (await bob.get(`dataset/${dataset}/manifest`)).body;
    expect([manifest.dataset.review, manifest.images[0].stage]).toEqual([true, "returned"]);
    const { scenes } = (await bob.post(`dataset/${dataset}/scenes`, { ids: [image] })).body;
    expect(scenes[0].image).toMatchObject({ stage: "returned", returned_by: "ann" });
  });

  it("the owner assigns images in equal shares, and lists show whose they are", async () => {
    const ids = [image];
    for (const name of ["b", "c", "d", "e", "f"]) ids.push(await seedImage(server.db, dataset, `${name}.jpg`));
    const assign = (users: string[], by = ann, which: object = { filter: {} }) =>
      by.post(`dataset/${dataset}/images/assign`, { ...which, users });
    expect((await assign(["bob"], bob)).status).toBe(403);
    expect((await assign(["nobody else"])).status).toBe(400);
    expect((await assign(["bob"], ann, { ids: [image] })).body).toMatchObject({ changed: 1 });
    const { body } = (await bob.get(`dataset/${dataset}/data?assignee=bob`)) as { body: { images: object[] } };
    expect(body.images).toMatchObject([{ id: image, assignee: "bob" }]);
    const shared = await assign(["ann", "bob"]);
    const [anns, bobs] = [await pathsOf("assignee=ann"), await pathsOf("assignee=bob")];
    expect([anns.length, bobs.length, await pathsOf("assigned=false")]).toEqual([3, 3, []]);
    const manifest = (await bob.get(`dataset/${dataset}/manifest`)).body;
    expect(manifest.images.filter(({ assignee }: { assignee: string }) => assignee === "bob").length).toBe(3);
    const other = anns.includes("f.jpg") ? "bob" : "ann";
    await assign([other], ann, { ids: [ids[5]] });
    const undone = await ann.post(`dataset/${dataset}/images/undo`, { undo: shared.body.undo });
    expect(undone.body).toMatchObject({ failed: 1, failures: [{ id: ids[5] }] });
    expect((await pathsOf("assignee=bob")).filter((path: string) => path !== "f.jpg")).toEqual(["a.jpg"]);
    expect(await pathsOf(`assignee=${other}`)).toContain("f.jpg");
    expect((await pathsOf("assigned=false")).length).toBe(4);
    expect(await rowOf()).toMatchObject({ revision: 1 });
  });
});
