import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { AnnotationEdit, CategoryEdit, EditAnswer } from "../../../../shared/edits/edit";
import { sumMove } from "../../../../shared/edits/moves/storedMove";
import { MAX_REMOVED_LABELS } from "../../../../shared/entities/keypoint";
import { newLabelIds } from "../../../../shared/rules/newLabelIds";
import { describeOnBothDatabases, type TestDatabase } from "../../../support/databases";
import {
  annotationRow,
  type EditFixture,
  imageRow,
  makeAccount,
  makeCategory,
  makeDataset,
  makeEditFixture,
  makeImage,
  square,
  Tab,
} from "./editFixture";

describeOnBothDatabases("a batch of edits", (open) => {
  let db: TestDatabase["db"];
  let fixture: EditFixture;
  let tab: Tab;
  beforeAll(async () => {
    db = (await open()).db;
  });
  beforeEach(async () => {
    fixture = await makeEditFixture(db);
    tab = new Tab(db, fixture);
  });

  const made = async (after = {}) => {
    const edit = tab.create(after);
    const answer = await tab.sendOne(edit);
    return { uuid: edit.target, answer, edit };
  };
  const historyOf = (uuid: string) =>
    db.selectFrom("edit_history").selectAll().where("subject_id", "=", uuid).orderBy("id").execute();

  test("creates an annotation with the area and box of its mask, and counts it", async () => {
    const { uuid, answer } = await made();
    const row = await annotationRow(db, uuid);
    expect(answer).toMatchObject({ status: "applied", id: row?.id, revision: 1, image_revision: 2 });
    expect(row).toMatchObject({ area: 400, bbox: [10, 10, 20, 20], shape: { rings: square(10, 10, 20) } });
    expect(row?.creator_name).toBe(fixture.user.username);
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ num_annotations: 1, annotated: true, revision: 2 });
    expect(await historyOf(uuid)).toMatchObject([
      { action: "create", revision: 1, image_revision: 2, client: tab.client, fields: { id: row?.id, area: 400 } },
    ]);
  });

  test("counts annotations again only if an edit may change their number", async () => {
    const { uuid } = await made();
    await db.updateTable("images").set({ num_annotations: 9 }).where("id", "=", fixture.imageId).execute();
    await tab.sendOne(tab.edit(uuid, "modify", 1, { rings: square(20, 20, 10) }));
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ num_annotations: 9 });
    await tab.sendOne(tab.edit(uuid, "modify", 2, { rings: [] }));
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ num_annotations: 0, annotated: false });
  });

  test("lists the image's categories again when annotations move to others, without counting", async () => {
    const old = fixture.categoryId;
    const [one, two] = [await made(), await made()];
    const next = await makeCategory(db, fixture.user, fixture.datasetId);
    const categories = async () => (await imageRow(db, fixture.imageId)).categories;
    await db.updateTable("images").set({ num_annotations: 9 }).where("id", "=", fixture.imageId).execute();
    await tab.sendOne(tab.edit(one.uuid, "modify", 1, { category_id: next }));
    expect(await categories()).toEqual([old, next]);
    await tab.sendOne(tab.edit(two.uuid, "modify", 1, { category_id: next }));
    expect(await categories()).toEqual([next]);
    await tab.send([
      tab.edit(one.uuid, "modify", 2, { category_id: old }),
      tab.edit(two.uuid, "modify", 2, { category_id: old }),
    ]);
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ categories: [old], num_annotations: 9 });
    await tab.send([tab.edit(one.uuid, "modify", 3, { category_id: next }), tab.edit(two.uuid, "delete", 3)]);
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ categories: [next], num_annotations: 1 });
  });

  test("stores a move that is sent as a distance, and refuses a distance without a shape to move", async () => {
    const { uuid } = await made();
    const moved = { rings: { moved: [5, -2] } };
    const [stored, refused] = await tab.send([
      { ...tab.edit(uuid, "modify", 1, {}, { rings: square(10, 10, 20) }), after: moved },
      { ...tab.edit(uuid, "modify", 2), after: moved },
    ]);
    expect([stored?.status, refused?.status]).toEqual(["applied", "refused"]);
    expect(await annotationRow(db, uuid)).toMatchObject({
      shape: { rings: square(15, 8, 20) },
      area: 400,
      revision: 2,
    });
  });

  test("moves the stored shape, several times in a batch, and refuses to move another shape", async () => {
    const { uuid } = await made();
    const move = (from: number, to: number) => {
      const edit = tab.edit(uuid, "modify", 1, { rings: square(to, 10, 20), isbbox: false });
      return sumMove({ ...edit, before: { rings: square(from, 10, 20), isbbox: false } });
    };
    const sent = [move(10, 13), move(13, 14), move(10, 11)];
    const answers = await tab.send(sent as AnnotationEdit[]);
    expect(answers.map(({ status }) => status)).toEqual(["applied", "applied", "refused"]);
    const row = await annotationRow(db, uuid);
    expect(row).toMatchObject({ shape: { rings: square(14, 10, 20) }, bbox: [14, 10, 20, 20], area: 400, revision: 3 });
    const shapes = (await historyOf(uuid)).map(({ fields }) => fields.rings);
    expect(shapes).toEqual([square(10, 10, 20), square(13, 10, 20), square(14, 10, 20)]);
    const again = await tab.send(sent as AnnotationEdit[]);
    expect(again.map(({ status }) => status)).toEqual(["seen", "seen", "refused"]);
  });

  test("keeps each shape of an annotation in its history, even with several edits in one batch", async () => {
    const shapes = [square(0.1, 1 / 3, 20), square(12.5, 10, 20), square(1e-7, 0, 30), []];
    const created = tab.create({ rings: shapes[0] });
    const change = (revision: number, after: object) => tab.edit(created.target, "modify", revision, after);
    await tab.send([created, change(1, { rings: shapes[1] }), change(2, { rings: shapes[2], color: "#123456" })]);
    await tab.send([change(3, { color: "#654321" }), change(4, { rings: shapes[3] })]);
    const history = await historyOf(created.target);
    expect(history.map(({ fields }) => fields)).toMatchObject([
      { rings: shapes[0], isbbox: false, category_id: fixture.categoryId },
      { rings: shapes[1], isbbox: false },
      { rings: shapes[2], isbbox: false, color: "#123456" },
      { color: "#654321" },
      { rings: shapes[3], area: 0 },
    ]);
    expect(history[3]?.fields).not.toHaveProperty("rings");
  });

  test("notifies the image's room once of a batch of many edits", async () => {
    const answers = await tab.send(Array.from({ length: 30 }, () => tab.create()));
    expect(tab.events).toMatchObject([{ image_id: fixture.imageId, image_revision: answers.at(-1)?.image_revision }]);
  });

  test("an edit with a refused label leaves image and dataset unchanged", async () => {
    const unlisted = await makeCategory(db, fixture.user);
    const answer = await tab.sendOne({
      uuid: randomUUID(),
      image_id: fixture.imageId,
      base: 1,
      subject: "image",
      action: "modify",
      before: { labels: [] },
      after: { labels: [unlisted, 2_000_000_000] },
    });
    expect(answer).toMatchObject({ status: "refused" });
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ labels: [], revision: 1 });
    const listed = await db
      .selectFrom("dataset_categories")
      .select("category_id")
      .where("dataset_id", "=", fixture.datasetId)
      .execute();
    expect(listed).toEqual([{ category_id: fixture.categoryId }]);
  });

  test("creates, changes and deletes an annotation that the server has never seen", async () => {
    const create = tab.create();
    const answers = await tab.send([
      create,
      tab.edit(create.target, "modify", 0, { color: "#00ff00" }),
      tab.edit(create.target, "delete", 0),
    ]);
    const id = (await annotationRow(db, create.target))?.id;
    expect(answers.map(({ status, revision }) => [status, revision])).toEqual([
      ["applied", 1],
      ["applied", 2],
      ["applied", 3],
    ]);
    expect(new Set(answers.map((answer) => answer.id))).toEqual(new Set([id]));
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ num_annotations: 0, annotated: false, revision: 4 });
  });

  test("a batch that is sent again gets the same response, and nothing is stored twice", async () => {
    const edits = [tab.create(), tab.create()];
    const first = await tab.send(edits);
    const again = await tab.send(edits);
    expect(again).toEqual(first.map((answer) => ({ ...answer, status: "seen" })));
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ num_annotations: 2, revision: 3 });
  });

  test("an edit that is in one batch twice is reported twice and stored once", async () => {
    const edit = tab.create();
    const answers = await tab.send([edit, edit]);
    expect(answers.map((answer) => answer.status)).toEqual(["applied", "seen"]);
    expect(answers[1]?.id).toBe(answers[0]?.id);
  });

  test("a batch that arrives five times at the same moment is stored once", async () => {
    const edits = Array.from({ length: 5 }, () => tab.create());
    const all = await Promise.all(Array.from({ length: 5 }, () => tab.send(edits)));
    const applied = all.flat().filter((answer) => answer.status === "applied");
    expect(applied).toHaveLength(5);
    expect(all.flat().filter((answer) => answer.status === "seen")).toHaveLength(20);
    expect((await imageRow(db, fixture.imageId)).num_annotations).toBe(5);
  });

  test("refuses an edit's uuid from another client, and any client id of another user", async () => {
    const { edit } = await made();
    expect(await new Tab(db, fixture).sendOne(edit)).toMatchObject({ status: "refused" });
    const other = new Tab(db, fixture, await makeAccount(db, "bob", true));
    Object.assign(other, { client: tab.client });
    await expect(other.send([])).rejects.toMatchObject({ status: 403 });
  });

  test("merges edits of different fields, made on the same revision by two clients", async () => {
    const { uuid } = await made();
    const other = new Tab(db, fixture);
    const shape = await tab.sendOne(tab.edit(uuid, "modify", 1, { rings: square(0, 0, 5) }));
    const color = await other.sendOne(other.edit(uuid, "modify", 1, { color: "#0000ff" }));
    expect([shape, color]).toMatchObject([{ status: "applied" }, { status: "applied", revision: 3 }]);
    expect(await annotationRow(db, uuid)).toMatchObject({ area: 25, color: "#0000ff" });
  });

  test("returns a late edit of the same field with the stored version", async () => {
    const { uuid, answer } = await made();
    const other = new Tab(db, fixture);
    await tab.sendOne(tab.edit(uuid, "modify", 1, { rings: square(0, 0, 5) }));
    const late = await other.sendOne(other.edit(uuid, "modify", 1, { rings: square(1, 1, 7), isbbox: true }));
    expect(late).toMatchObject({
      status: "conflict",
      fields: ["shape"],
      stored: { id: answer.id, revision: 2, rings: square(0, 0, 5), area: 25 },
      changed_by: fixture.user.username,
    });
    expect(Date.now() - Date.parse(late.changed_at ?? "")).toBeLessThan(600_000);
    expect((await annotationRow(db, uuid))?.area).toBe(25);
    const again = other.edit(uuid, "modify", 2, { rings: square(1, 1, 7) });
    expect(await other.sendOne(again)).toMatchObject({ status: "applied", revision: 3 });
  });

  test("returns a late colour with the stored outline, which was not read for edits of colours", async () => {
    const [late, other] = [await made(), await made()];
    const first = new Tab(db, fixture);
    await first.sendOne(first.edit(late.uuid, "modify", 1, { color: "#0000ff" }));
    const answers = await tab.send([
      { ...tab.edit(late.uuid, "modify", 1, { color: "#00ff00" }), before: { color: "#ff0000" } },
      tab.edit(other.uuid, "modify", 1, { color: "#00ff00" }),
    ]);
    const stored = { color: "#0000ff", rings: square(10, 10, 20), area: 400 };
    expect(answers).toMatchObject([{ status: "conflict", fields: ["color"], stored }, { status: "applied" }]);
    expect(await annotationRow(db, other.uuid)).toMatchObject({
      color: "#00ff00",
      shape: { rings: square(10, 10, 20) },
    });
  });

  test("merges attributes name by name, and reports the same name as a conflict", async () => {
    const { uuid } = await made({ attributes: { color: "red", age: 3 } });
    const other = new Tab(db, fixture);
    const change = (by: Tab, after: object) => ({
      ...by.edit(uuid, "modify", 1, { attributes: after as never }),
      before: { attributes: { color: "red", age: 3 } },
    });
    await tab.sendOne(change(tab, { color: "blue", age: 3 }));
    const merged = await other.sendOne(change(other, { color: "red", occluded: true }));
    expect(merged).toMatchObject({ status: "applied", revision: 3 });
    expect((await annotationRow(db, uuid))?.attributes).toEqual({ color: "blue", occluded: true });
    expect((await historyOf(uuid)).at(-1)?.fields).toEqual({ attributes: { color: "blue", occluded: true } });
    const late = await other.sendOne(change(other, { color: "green", age: 3 }));
    expect(late).toMatchObject({
      status: "conflict",
      fields: ["attributes"],
      stored: { attributes: { color: "blue" } },
    });
    const last = await other.sendOne({
      ...change(other, {}),
      base: 3,
      before: { attributes: { color: "blue", occluded: true } },
    });
    expect(last).toMatchObject({ status: "applied" });
    expect((await annotationRow(db, uuid))?.attributes).toBeNull();
  });

  test("merges equal edits of two clients", async () => {
    const { uuid } = await made();
    const other = new Tab(db, fixture);
    await tab.sendOne(tab.edit(uuid, "modify", 1, { color: "#0000ff" }));
    const same = await other.sendOne(other.edit(uuid, "modify", 1, { color: "#0000FF" }));
    expect(same).toMatchObject({ status: "applied", revision: 2 });
    expect(await historyOf(uuid)).toHaveLength(2);
  });

  test("does not conflict with its client's own later changes", async () => {
    const { uuid } = await made();
    const edits = [3, 4, 5].map((size) => tab.edit(uuid, "modify", 1, { rings: square(0, 0, size) }));
    const answers: EditAnswer[] = [];
    for (const edit of edits) answers.push(await tab.sendOne(edit));
    expect(answers.map((answer) => answer.revision)).toEqual([2, 3, 4]);
  });

  test("does not conflict with changes of an earlier tab that the edit names, but with others in between", async () => {
    const { uuid } = await made();
    const [next, stranger] = [new Tab(db, fixture), new Tab(db, fixture)];
    const earlier = tab.edit(uuid, "modify", 1, { color: "#000001" });
    await tab.sendOne(earlier);
    const late = (color: string, knows: string[]) => ({ ...next.edit(uuid, "modify", 1, { color }), knows });
    expect(await next.sendOne(late("#000002", []))).toMatchObject({ status: "conflict", fields: ["color"] });
    expect(await next.sendOne(late("#000003", [earlier.uuid]))).toMatchObject({ status: "applied", revision: 3 });
    await stranger.sendOne(stranger.edit(uuid, "modify", 3, { color: "#000004" }));
    const deletion = { ...tab.edit(uuid, "delete", 1), knows: [earlier.uuid] };
    expect(await new Tab(db, fixture).sendOne(deletion)).toMatchObject({ status: "conflict", fields: ["color"] });
    const own = stranger.edit(uuid, "delete", 4);
    await stranger.sendOne(own);
    const restoration = { ...next.edit(uuid, "create", 4), knows: [own.uuid] };
    expect(await next.sendOne(restoration)).toMatchObject({ status: "applied", revision: 6 });
  });

  test("refuses an edit that names more than a hundred others, or no uuids", async () => {
    const { uuid } = await made();
    const naming = (knows: unknown) => ({ ...tab.edit(uuid, "modify", 1, { color: "#000001" }), knows });
    const hundred = Array.from({ length: 100 }, () => randomUUID());
    const statuses = (await tab.send([[...hundred, randomUUID()], ["x"], "x", hundred].map(naming))).map(
      ({ status }) => status,
    );
    expect(statuses).toEqual(["refused", "refused", "refused", "applied"]);
  });

  test("reports an edit of a deleted annotation as a conflict, and a second deletion as done", async () => {
    const { uuid } = await made();
    const other = new Tab(db, fixture);
    await tab.sendOne(tab.edit(uuid, "delete", 1));
    const late = await other.sendOne(other.edit(uuid, "modify", 1, { color: "#0000ff" }));
    expect(late).toMatchObject({ status: "conflict", stored: null, changed_by: fixture.user.username });
    expect(await other.sendOne(other.edit(uuid, "delete", 1))).toMatchObject({ status: "applied", revision: 2 });
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ num_annotations: 0, revision: 3 });
  });

  test("a conflict contains the revision with which a client can keep its own version, even for a deleted annotation", async () => {
    const { uuid } = await made();
    const other = new Tab(db, fixture);
    await other.sendOne(other.edit(uuid, "delete", 1));
    const late = await tab.sendOne({ ...tab.edit(uuid, "modify", 1, { color: "#0000ff" }), base: 0 });
    expect(late).toMatchObject({ status: "conflict", stored: null, revision: 2 });
    const mine = tab.edit(uuid, "create", late.revision ?? 0, { color: "#0000ff" });
    expect(await tab.sendOne(mine)).toMatchObject({ status: "applied", revision: 3 });
    expect(await annotationRow(db, uuid)).toMatchObject({ deleted_at: null, color: "#0000ff" });
    const again = await other.sendOne(other.edit(uuid, "create", 2, { color: "#ff0000" }));
    expect(again).toMatchObject({ status: "conflict", stored: { uuid }, revision: 3 });
  });

  test("a deletion made without seeing another client's change is a conflict", async () => {
    const { uuid } = await made();
    const other = new Tab(db, fixture);
    await other.sendOne(other.edit(uuid, "modify", 1, { color: "#0000ff" }));
    expect(await tab.sendOne(tab.edit(uuid, "delete", 1))).toMatchObject({ status: "conflict", fields: ["color"] });
    expect((await annotationRow(db, uuid))?.deleted_at).toBeNull();
  });

  test("a creation restores a deleted annotation, and is a repeat or a conflict for an existing one", async () => {
    const { uuid, edit } = await made();
    const again = { ...edit, uuid: randomUUID() };
    expect(await tab.sendOne(again)).toMatchObject({ status: "seen", revision: 1 });
    const other = { ...edit, uuid: randomUUID(), after: { ...edit.after, color: "#123456" } };
    expect(await tab.sendOne(other)).toMatchObject({ status: "conflict", stored: { uuid } });
    await tab.sendOne(tab.edit(uuid, "delete", 1));
    const back = tab.edit(uuid, "create", 2, edit.after);
    expect(await tab.sendOne(back)).toMatchObject({ status: "applied", revision: 3 });
    expect(await annotationRow(db, uuid)).toMatchObject({ deleted_at: null, area: 400 });
    expect((await imageRow(db, fixture.imageId)).num_annotations).toBe(1);
  });

  test("an invalid edit does not block its neighbours", async () => {
    const bad = [
      null,
      7,
      {},
      { ...tab.create(), subject: "user" },
      tab.create({ rings: [[[Number.NaN, 1, 2, 3, 4, 5]]] }),
      tab.create({ rings: [[[1e300, 1, 2, 3, 4, 5]]] }),
      tab.create({ rings: [[[1, 2, 3]]] }),
      tab.create({ category_id: 999_999 }),
      tab.create({ color: "red" }),
      tab.create({ metadata: { "a\u0000": 1 } }),
      tab.create({ keypoints: [{ label: 9, x: 1, y: 1, v: 2 }] }),
      tab.edit(randomUUID(), "modify", 1, { color: "#000000" }),
      tab.edit(randomUUID(), "delete", 1),
      { ...tab.create(), image_id: 999_999 },
      { ...tab.create(), uuid: "no uuid" },
    ];
    const good = [tab.create(), tab.create()];
    const answers = await tab.send([good[0], ...bad, good[1]]);
    expect(answers.map((answer) => answer.status)).toEqual(["applied", ...bad.map(() => "refused"), "applied"]);
    for (const answer of answers.slice(1, -1)) expect(answer.reason).toEqual(expect.stringMatching(/./));
    expect((await imageRow(db, fixture.imageId)).num_annotations).toBe(2);
  });

  test("an edit that only the database refuses does not block its neighbours", async () => {
    const elsewhere = await makeImage(db, fixture.datasetId);
    const target = randomUUID();
    const [a, b] = [new Tab(db, fixture), new Tab(db, { ...fixture, imageId: elsewhere })];
    const all = await Promise.all([
      a.send([a.create(), a.create({}, target), a.create()]),
      b.send([b.create(), b.create({}, target), b.create()]),
    ]);
    const statuses = all.map((answers) => answers.map((answer) => answer.status));
    expect(statuses.map((list) => [list[0], list[2]])).toEqual([
      ["applied", "applied"],
      ["applied", "applied"],
    ]);
    expect(statuses.map((list) => list[1]).sort()).toEqual(["applied", "refused"]);
  });

  test("an annotation of another image counts as absent", async () => {
    const { uuid } = await made();
    const elsewhere = new Tab(db, { ...fixture, imageId: await makeImage(db, fixture.datasetId) });
    const unknown = await elsewhere.sendOne(elsewhere.edit(randomUUID(), "delete", 1));
    expect(unknown).toMatchObject({ status: "refused", revision: 0 });
    for (const action of ["create", "modify", "delete"] as const) {
      const answer = await elsewhere.sendOne(elsewhere.edit(uuid, action, 1, { category_id: fixture.categoryId }));
      expect({ ...answer, uuid: "" }).toEqual({ ...unknown, uuid: "" });
    }
    expect((await annotationRow(db, uuid))?.deleted_at).toBeNull();
  });

  test("edits of a user without access are refused as if nothing existed", async () => {
    const { uuid } = await made();
    const stranger = new Tab(db, fixture, await makeAccount(db, "eve"));
    const own = await makeEditFixture(db);
    const answers = await stranger.send([
      stranger.create(),
      stranger.edit(uuid, "delete", 1),
      { ...stranger.create(), image_id: 999_999 },
    ]);
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.reason}`)).size).toBe(1);
    const thief = new Tab(db, own, own.user);
    expect(await thief.sendOne(thief.create({ category_id: fixture.categoryId }))).toMatchObject({ status: "refused" });
    expect(await thief.sendOne(thief.edit(uuid, "delete", 1))).toMatchObject({ status: "refused" });
  });

  test("members may edit until their membership ends or the image is deleted", async () => {
    const member = await makeAccount(db, "mia");
    const theirs = new Tab(db, fixture, member);
    await db.insertInto("dataset_members").values({ dataset_id: fixture.datasetId, user_id: member.id }).execute();
    expect(await theirs.sendOne(theirs.create())).toMatchObject({ status: "applied" });
    await db.deleteFrom("dataset_members").where("user_id", "=", member.id).execute();
    expect(await theirs.sendOne(theirs.create())).toMatchObject({ status: "refused" });
    await db.updateTable("images").set({ deleted_at: new Date() }).where("id", "=", fixture.imageId).execute();
    expect(await tab.sendOne(tab.create())).toMatchObject({ status: "refused" });
  });

  test("edits of a viewer are refused with a reason, and stored once the viewer is an annotator", async () => {
    const viewer = await makeAccount(db, "vic");
    const theirs = new Tab(db, fixture, viewer);
    const place = { dataset_id: fixture.datasetId, user_id: viewer.id };
    await db
      .insertInto("dataset_members")
      .values({ ...place, role: "viewer" })
      .execute();
    const edit = theirs.create();
    expect(await theirs.sendOne(edit)).toMatchObject({
      ...{ status: "refused", code: "read_only" },
      reason: "You can look at this dataset but not change it.",
    });
    await db.updateTable("dataset_members").set({ role: "annotator" }).where("user_id", "=", viewer.id).execute();
    expect(await theirs.sendOne(edit)).toMatchObject({ status: "applied" });
  });

  test("using a visible category that the dataset lacks adds it", async () => {
    const mine = await makeCategory(db, fixture.user);
    await tab.sendOne(tab.create({ category_id: mine }));
    const listed = await db
      .selectFrom("dataset_categories")
      .select("category_id")
      .where("dataset_id", "=", fixture.datasetId)
      .execute();
    expect(listed.map((row) => row.category_id).sort()).toEqual([fixture.categoryId, mine].sort());
  });

  test("a deleted category cannot be used", async () => {
    await db.updateTable("categories").set({ deleted_at: new Date() }).where("id", "=", fixture.categoryId).execute();
    expect(await tab.sendOne(tab.create())).toMatchObject({ status: "refused" });
  });

  test("an imported shape stays unchanged until it is edited", async () => {
    const polygons = [
      [1, 1, 9, 1, 9, 9, 1, 9, 1, 1],
      [5, 5, 12, 5, 12, 12],
    ];
    const { id, uuid } = await db
      .insertInto("annotations")
      .values({
        image_id: fixture.imageId,
        category_id: fixture.categoryId,
        color: "#111111",
        shape: JSON.stringify(polygons),
        area: 12.5,
        bbox: "[1,2,3.5,4]",
        iscrowd: true,
        extra: '{"score":0.5}',
      })
      .returning(["id", "uuid"])
      .executeTakeFirstOrThrow();
    const rings = polygons.map((ring) => [ring]);
    await tab.send([
      tab.edit(uuid, "modify", 1, { color: "#222222", rings, isbbox: false }),
      tab.edit(uuid, "delete", 2),
      tab.edit(uuid, "create", 3, { category_id: fixture.categoryId, rings, isbbox: false, color: "#222222" }),
    ]);
    expect(await annotationRow(db, uuid)).toMatchObject({
      shape: polygons,
      area: 12.5,
      bbox: [1, 2, 3.5, 4],
      revision: 4,
    });
    await tab.send([tab.edit(uuid, "modify", 4, { rings: square(0, 0, 4) })]);
    expect(await annotationRow(db, uuid)).toMatchObject({
      id,
      shape: { rings: square(0, 0, 4) },
      area: 16,
      bbox: [0, 0, 4, 4],
      iscrowd: true,
      extra: { score: 0.5 },
    });
    const [baseline] = await historyOf(uuid);
    expect(baseline).toMatchObject({
      revision: 1,
      image_revision: null,
      fields: { area: 12.5, rings, color: "#111111" },
    });
  });

  test("undo restores the mask of a crowd that was drawn over", async () => {
    const rle = { size: [80, 100], counts: [0, 160, 7840] };
    const { uuid } = await db
      .insertInto("annotations")
      .values({
        image_id: fixture.imageId,
        category_id: fixture.categoryId,
        color: "#111111",
        shape: JSON.stringify(rle),
        area: 160,
        bbox: "[0,0,2,80]",
        iscrowd: true,
      })
      .returning("uuid")
      .executeTakeFirstOrThrow();
    await tab.sendOne(tab.edit(uuid, "modify", 1, { rings: square(0, 0, 4) }));
    expect((await annotationRow(db, uuid))?.area).toBe(16);
    expect(await tab.sendOne(tab.edit(uuid, "modify", 2, { rings: null }))).toMatchObject({ status: "applied" });
    expect(await annotationRow(db, uuid)).toMatchObject({ shape: rle, area: 160, bbox: [0, 0, 2, 80], iscrowd: true });
    const { uuid: drawn } = await made();
    expect(await tab.sendOne(tab.edit(drawn, "modify", 1, { rings: null }))).toMatchObject({ status: "refused" });
  });

  test("an annotation with only keypoints has their box and is counted", async () => {
    const posed = await makeCategory(db, fixture.user, fixture.datasetId, ["a", "b", "c"]);
    const keypoints = [
      { label: 1, x: 10.5, y: 20, v: 2 },
      { label: 2, x: 30, y: 5, v: 1 },
      { label: 3, x: 99, y: 99, v: 0 },
    ];
    const { uuid } = await made({ category_id: posed, rings: [], keypoints });
    expect(await annotationRow(db, uuid)).toMatchObject({ shape: null, area: 0, bbox: [10.5, 5, 19.5, 15] });
    expect((await imageRow(db, fixture.imageId)).num_annotations).toBe(1);
    await tab.sendOne(tab.edit(uuid, "modify", 1, { keypoints: keypoints.slice(1) }));
    expect((await annotationRow(db, uuid))?.bbox).toEqual([30, 5, 0, 0]);
    await tab.sendOne(tab.edit(uuid, "modify", 2, { keypoints: [] }));
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ num_annotations: 0, annotated: false });
  });

  test("keypoints move with an annotation to another category and back", async () => {
    const [from, to] = [
      await makeCategory(db, fixture.user, fixture.datasetId, ["nose", "ear"]),
      await makeCategory(db, fixture.user, fixture.datasetId, ["tail", "ear"]),
    ];
    const keypoints = [
      { label: 1, x: 1, y: 1, v: 2 },
      { label: 2, x: 2, y: 2, v: 2 },
    ];
    const { uuid } = await made({ category_id: from, keypoints });
    await tab.sendOne(tab.edit(uuid, "modify", 1, { category_id: to }));
    expect((await annotationRow(db, uuid))?.keypoints?.map((point) => point.label)).toEqual([
      newLabelIds({ labels: [], removed: [] })("nose"),
      2,
    ]);
    await tab.sendOne(tab.edit(uuid, "modify", 2, { category_id: from }));
    expect((await annotationRow(db, uuid))?.keypoints).toEqual(keypoints);
  });

  test("a deleted category is named as deleted to users of a dataset that lists it, and as absent to others", async () => {
    const [listed, other] = [
      await makeCategory(db, fixture.user, fixture.datasetId),
      await makeCategory(db, fixture.user),
    ];
    const { uuid } = await made({ category_id: await makeCategory(db, fixture.user, fixture.datasetId) });
    await db.updateTable("categories").set({ deleted_at: new Date() }).where("id", "in", [listed, other]).execute();
    const move = (category_id: number) => tab.edit(uuid, "modify", 1, { category_id });
    expect(await tab.send([move(listed), move(other)])).toMatchObject([
      { status: "refused", reason: "This category was deleted.", code: "not_found" },
      { status: "refused", reason: "This category does not exist.", code: "not_found" },
    ]);
  });

  test("keypoints cannot move to a category that has reached its label limit, nor to an invisible one", async () => {
    const from = await makeCategory(db, fixture.user, fixture.datasetId, ["nose", "ear"]);
    const full = await makeCategory(db, fixture.user, undefined, ["ear"]);
    const removed = Array.from({ length: MAX_REMOVED_LABELS }, (_, i) => ({
      id: i + 10,
      name: `l${i}`,
      color: "#000000",
    }));
    await db
      .updateTable("categories")
      .set({ keypoints: JSON.stringify({ labels: [{ id: 1, name: "ear", color: "#000000" }], edges: [], removed }) })
      .where("id", "=", full)
      .execute();
    const foreign = await makeCategory(db, await makeAccount(db, "eve"), undefined, ["tail"]);
    const nose = await made({ category_id: from, keypoints: [{ label: 1, x: 1, y: 1, v: 2 }] });
    const ear = await made({ category_id: from, keypoints: [{ label: 2, x: 1, y: 1, v: 2 }] });
    const before = await db.selectFrom("categories").selectAll().where("id", "in", [full, foreign]).execute();
    const move = (uuid: string, category_id: number) => tab.edit(uuid, "modify", 1, { category_id });
    expect(await tab.send([move(nose.uuid, full), move(nose.uuid, foreign)])).toMatchObject([
      { status: "refused", reason: expect.stringMatching(/too many keypoint labels/) },
      { status: "refused", reason: "This category does not exist." },
    ]);
    expect(await db.selectFrom("categories").selectAll().where("id", "in", [full, foreign]).execute()).toEqual(before);
    const listed = db.selectFrom("dataset_categories").selectAll().where("category_id", "in", [full, foreign]);
    expect(await listed.execute()).toEqual([]);
    expect(await tab.sendOne(move(ear.uuid, full))).toMatchObject({ status: "applied" });
  });

  test("labels and metadata of an image are edits, and conflict with remote changes", async () => {
    const other = new Tab(db, fixture);
    const image = (base: number, before: object, after: object) => ({
      uuid: randomUUID(),
      image_id: fixture.imageId,
      base,
      subject: "image",
      action: "modify",
      before,
      after,
    });
    const labels = [fixture.categoryId];
    expect(await tab.sendOne(image(1, { labels: [] }, { labels }))).toMatchObject({ status: "applied", revision: 2 });
    await tab.sendOne(tab.create());
    const late = await other.sendOne(image(1, { labels: [] }, { labels: [] }));
    expect(late).toMatchObject({ status: "conflict", fields: ["labels"], stored: { labels } });
    const merged = await other.sendOne(image(1, { metadata: {} }, { metadata: { a: 1 } }));
    expect(merged).toMatchObject({ status: "applied" });
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ labels, metadata: { a: 1 }, revision: 4 });
    const marked = await other.sendOne(image(4, { done: false }, { done: true }));
    expect(marked).toMatchObject({ status: "applied", revision: 5 });
    expect(await tab.sendOne(image(4, { done: false }, { done: true }))).toMatchObject({ status: "applied" });
    expect(await imageRow(db, fixture.imageId)).toMatchObject({ labels, metadata: { a: 1 }, done: true, revision: 5 });
    const unknown = await tab.sendOne(image(9, {}, { labels: [...labels, 999_999] }));
    expect(unknown).toMatchObject({ status: "refused" });
  });

  test("a category's name and colour are changed by its creator alone", async () => {
    const member = await makeAccount(db, "mia");
    await db.insertInto("dataset_members").values({ dataset_id: fixture.datasetId, user_id: member.id }).execute();
    const edit = (after: object, base = 1) => ({
      uuid: randomUUID(),
      image_id: fixture.imageId,
      base,
      subject: "category",
      target: fixture.categoryId,
      action: "modify",
      before: {},
      after,
    });
    const theirs = new Tab(db, fixture, member);
    expect(await theirs.sendOne(edit({ color: "#000001" }))).toMatchObject({ status: "refused" });
    const changed = await tab.sendOne(
      edit({ color: "#000001", keypoint_labels: ["a", "b"], keypoint_edges: [[1, 2]] }),
    );
    expect(changed).toMatchObject({ status: "applied", revision: 2 });
    expect(await new Tab(db, fixture).sendOne(edit({ color: "#000002" }))).toMatchObject({ status: "conflict" });
    expect(await tab.sendOne(edit({ keypoint_labels: ["a", "a"] }, 2))).toMatchObject({
      status: "refused",
      reason: "Duplicate keypoint label",
    });
    const row = await db.selectFrom("categories").selectAll().where("id", "=", fixture.categoryId).executeTakeFirst();
    expect(row).toMatchObject({ color: "#000001", revision: 2, keypoints: { edges: [[1, 2]] } });
  });

  test("another user's deleted category counts as absent; its creator gets a conflict", async () => {
    const hers = await makeCategory(db, await makeAccount(db, "eve"));
    const mine = await makeCategory(db, fixture.user);
    await db.updateTable("categories").set({ deleted_at: new Date() }).where("id", "in", [hers, mine]).execute();
    const edit = (target: number) => ({
      uuid: randomUUID(),
      image_id: fixture.imageId,
      base: 1,
      subject: "category",
      target,
      action: "modify",
      before: {},
      after: { color: "#000001" },
    });
    const answers = await tab.send([edit(hers), edit(999_999), edit(mine)]);
    const said = answers.map(({ uuid: _, ...answer }) => answer);
    expect(said[0]).toEqual(said[1]);
    expect(said[0]).toMatchObject({ status: "refused", reason: "This category does not exist.", code: "not_found" });
    expect(said[2]).toMatchObject({ status: "conflict", stored: null });
  });

  test("an edit of keypoints maps old labels to new ones, so that all can be renamed and keep their points", async () => {
    const edit = (base: number, after: object): CategoryEdit => ({
      uuid: randomUUID(),
      image_id: fixture.imageId,
      base,
      subject: "category",
      target: fixture.categoryId,
      action: "modify",
      before: {},
      after,
    });
    const named = { keypoint_labels: ["a", "b"], keypoint_label_ids: [1, 700] };
    expect(await tab.sendOne(edit(1, named))).toMatchObject({ status: "applied" });
    const { uuid } = await made({ keypoints: [{ label: 700, x: 1, y: 2, v: 2 }] });
    const renamed = { keypoint_labels: ["y", "x"], keypoint_label_ids: [700, 1] };
    expect(await tab.sendOne(edit(2, renamed))).toMatchObject({ status: "applied" });
    expect((await annotationRow(db, uuid))?.keypoints).toEqual([{ label: 700, x: 1, y: 2, v: 2 }]);
    const row = await db.selectFrom("categories").selectAll().where("id", "=", fixture.categoryId).executeTakeFirst();
    expect(row?.keypoints.labels.map(({ id, name }) => [id, name])).toEqual([
      [700, "y"],
      [1, "x"],
    ]);
    const huge = { keypoint_labels: ["y", "x"], keypoint_label_ids: [1, 2 ** 30 + 1] };
    expect(await tab.sendOne(edit(3, huge))).toMatchObject({ status: "refused", reason: "A label's id is too large" });
    const doubled = { keypoint_labels: ["y", "x"], keypoint_label_ids: [1, 1] };
    expect(await tab.sendOne(edit(3, doubled))).toMatchObject({ status: "refused" });
    const [last] = await db
      .selectFrom("edit_history")
      .selectAll()
      .where("subject", "=", "category")
      .orderBy("revision", "desc")
      .execute();
    expect(last?.fields).toMatchObject({ keypoint_label_ids: [700, 1] });
  });

  test("sessions count once however often they are sent, and preferences merge by key", async () => {
    const { uuid } = await made();
    const session = (milliseconds: number) => ({
      uuid: randomUUID(),
      image_id: fixture.imageId,
      annotation_uuid: uuid,
      start: 1_700_000_000_000,
      milliseconds,
      tools: ["Polygon"],
    });
    const sessions = [session(1000), session(234), { ...session(5), start: 8.64e15 }];
    const foreign = { ...session(99), image_id: (await makeEditFixture(db)).imageId };
    await tab.send([], { sessions: [...sessions, foreign], preferences: { a: 1, b: { c: 2 } } });
    await tab.send([], { sessions, preferences: { b: 3 } });
    expect((await annotationRow(db, uuid))?.milliseconds).toBe(1239);
    expect((await imageRow(db, fixture.imageId)).milliseconds).toBe(0);
    const user = await db.selectFrom("users").selectAll().where("id", "=", fixture.user.id).executeTakeFirstOrThrow();
    expect(user.preferences).toEqual({ a: 1, b: 3 });
  });

  test("the time on an image is that of its own sessions, which include those of its annotations", async () => {
    const { uuid } = await made();
    const session = (annotation: string | null, milliseconds: number) => ({
      uuid: randomUUID(),
      image_id: fixture.imageId,
      annotation_uuid: annotation,
      start: 1_700_000_000_000,
      milliseconds,
      tools: ["Select"],
    });
    const never = randomUUID();
    const sessions = [session(null, 5000), session(null, 500), session(uuid, 2000), session(never, 700)];
    await tab.send([], { sessions });
    expect((await imageRow(db, fixture.imageId)).milliseconds).toBe(5500);
    expect((await annotationRow(db, uuid))?.milliseconds).toBe(2000);
    const stored = await db.selectFrom("work_sessions").selectAll().where("image_id", "=", fixture.imageId).execute();
    expect(stored.map(({ annotation_uuid }) => annotation_uuid).filter((each) => each === never)).toHaveLength(1);
  });

  test("notifies the image's room of what was stored, and of nothing else", async () => {
    const { uuid, answer } = await made();
    await tab.send([tab.edit(uuid, "modify", 1, { color: "#000001" }), tab.edit(randomUUID(), "delete", 1)]);
    expect(tab.events).toEqual([
      expect.objectContaining({ action: "create", uuid: tab.client, image_revision: 2, image_id: fixture.imageId }),
      expect.objectContaining({ action: "modify", image_revision: 3 }),
    ]);
    expect(tab.events[0]?.annotation).toEqual({
      id: answer.id,
      uuid,
      image_id: fixture.imageId,
      category_id: fixture.categoryId,
    });
  });

  test("stores 500 edits of many images in one batch, in their order", async () => {
    const images = [
      fixture.imageId,
      await makeImage(db, fixture.datasetId),
      await makeImage(db, await makeDataset(db, fixture.user)),
    ];
    const creates = Array.from({ length: 250 }, (_, i) => ({ ...tab.create(), image_id: images[i % 3] }));
    const changes = creates.map((edit, i) => ({
      ...tab.edit(edit.target, "modify", 0, { metadata: { n: i } }),
      image_id: edit.image_id,
    }));
    const answers = await tab.send([...creates, ...changes]);
    expect(answers.every((answer) => answer.status === "applied")).toBe(true);
    const rows = await db
      .selectFrom("annotations")
      .selectAll()
      .where("image_id", "in", images as number[])
      .execute();
    expect(rows).toHaveLength(250);
    expect(rows.every((row) => row.revision === 2)).toBe(true);
    for (const id of images) {
      const history = await db
        .selectFrom("edit_history")
        .select("image_revision")
        .where("image_id", "=", id)
        .orderBy("id")
        .execute();
      expect(history.map((row) => row.image_revision)).toEqual(history.map((_, i) => i + 2));
      expect((await imageRow(db, id)).revision).toBe(history.length + 1);
    }
  });

  test("without history, the state that the client saw decides about a conflict", async () => {
    const { uuid } = await made({ metadata: { a: 1 } });
    await db.updateTable("annotations").set({ metadata: '{"a":2}', revision: 2 }).where("uuid", "=", uuid).execute();
    const other = new Tab(db, fixture);
    const wanted = (base: number, before: object, after: object) => other.edit(uuid, "modify", base, after, before);
    const late = wanted(1, { metadata: { a: 1 } }, { metadata: { a: 3 } });
    expect(await other.sendOne(late)).toMatchObject({ status: "conflict", stored: { metadata: { a: 2 } } });
    const color = wanted(1, { color: "#ff0000" }, { color: "#0000ff" });
    expect(await other.sendOne(color)).toMatchObject({ status: "applied", revision: 3 });
    expect(await annotationRow(db, uuid)).toMatchObject({ metadata: { a: 2 }, color: "#0000ff" });
  });

  test("an edit made on a state that was never stored conflicts, whatever its revision", async () => {
    const { uuid } = await made();
    const other = new Tab(db, fixture);
    await tab.sendOne(tab.edit(uuid, "modify", 1, { color: "#0000ff", metadata: { a: 1, b: null } }));
    const modify = (before: object, after: object) => other.edit(uuid, "modify", 2, after, before);
    const blind = await other.sendOne(modify({ color: "#ff0000" }, { color: "#00ff00" }));
    expect(blind).toMatchObject({ status: "conflict", fields: ["color"], stored: { color: "#0000ff" }, revision: 2 });
    const blindShape = modify({ rings: square(0, 0, 1) }, { rings: square(1, 1, 7) });
    expect(await other.sendOne(blindShape)).toMatchObject({ status: "conflict", fields: ["shape"] });
    const edits = [
      modify({ color: "#ff0000" }, { color: "#0000ff" }),
      modify({ color: "#0000FF", metadata: { b: null, a: 1 } }, { color: "#00ff00", metadata: {} }),
      modify({ rings: square(10, 10, 20) }, { rings: square(1, 1, 7) }),
      modify({ rings: square(1, 1, 7) }, { rings: [] }),
      modify({}, { color: "#123456" }),
    ];
    const statuses = (await other.send(edits)).map(({ status }) => status);
    expect(statuses).toEqual(edits.map(() => "applied"));
  });

  test("a tick made without seeing another client's tick is a conflict, even on the newest revision", async () => {
    const other = new Tab(db, fixture);
    const dog = await makeCategory(db, fixture.user, fixture.datasetId);
    const tick = (before: number[], labels: number[]) => ({
      uuid: randomUUID(),
      image_id: fixture.imageId,
      base: 2,
      subject: "image",
      action: "modify",
      before: { labels: before },
      after: { labels },
    });
    await tab.sendOne({ ...tick([], [fixture.categoryId]), base: 1 });
    const blind = await other.sendOne(tick([], [dog]));
    expect(blind).toMatchObject({ status: "conflict", stored: { labels: [fixture.categoryId] } });
    const seen = await other.sendOne(tick([fixture.categoryId], [dog, fixture.categoryId]));
    expect(seen).toMatchObject({ status: "applied", revision: 3 });
  });

  test("two clients racing on one annotation lose no update", async () => {
    const { uuid } = await made({ metadata: { a: 0, b: 0 } });
    const tabs = { a: tab, b: new Tab(db, fixture) };
    const ROUNDS = 100;
    const count = async (key: "a" | "b") => {
      for (let done = 0; done < ROUNDS; ) {
        const row = await annotationRow(db, uuid);
        const metadata = { ...row?.metadata, [key]: Number(row?.metadata[key]) + 1 };
        const answer = await tabs[key].sendOne(tabs[key].edit(uuid, "modify", row?.revision ?? 0, { metadata }));
        if (answer.status === "applied") done++;
        else expect(answer.status).toBe("conflict");
      }
    };
    await Promise.all([count("a"), count("b")]);
    expect(await annotationRow(db, uuid)).toMatchObject({
      metadata: { a: ROUNDS, b: ROUNDS },
      revision: 1 + 2 * ROUNDS,
    });
    expect((await historyOf(uuid)).map((row) => row.revision)).toEqual(
      Array.from({ length: 1 + 2 * ROUNDS }, (_, i) => i + 1),
    );
  });
});
