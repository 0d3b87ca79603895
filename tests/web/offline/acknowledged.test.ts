import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { blankAnnotation } from "../../../shared/edits/apply";
import type { AnnotationEdit, Edit, EditAnswer } from "../../../shared/edits/edit";
import { Copies } from "../../../web/offline/download/userCopies";
import { Sync } from "../../../web/sync/push/sync";
import { eventually } from "../../support/eventually";
import { FakeServer } from "./fakeServer";

const target = randomUUID();
let server: FakeServer;
let copies: Copies;

beforeEach(async () => {
  server = new FakeServer();
  server.add(1);
  server.annotate(1, { ...blankAnnotation(target, 1), id: 5, category_id: 1, revision: 3, creator: "bob" });
  copies = new Copies(`copy ${randomUUID()}`, "ada", server.ports);
  await copies.choose(1, { form: "original", ids: null });
  await eventually(() => expect(copies.state.getState().datasets[0]?.state).toBe("complete"));
});
afterEach(() => copies.wipe());

const edit = (fields: Partial<AnnotationEdit> = {}): AnnotationEdit => ({
  ...{ uuid: randomUUID(), image_id: 1, base: 3, subject: "annotation", target, action: "modify" },
  ...{ before: {}, after: { color: "#00ff00" }, ...fields },
});
const answer = (to: Edit, fields: Partial<EditAnswer> = {}): EditAnswer => ({
  ...{ uuid: to.uuid, status: "applied", revision: 4, image_revision: 2, ...fields },
});
const sceneHere = () => copies.store.scenes.get(1);

it("applies a stored edit with its revision, and requests the scene with the next update", async () => {
  const change = edit();
  await copies.keepAcknowledged([{ edit: change, answer: answer(change) }]);
  expect(await sceneHere()).toMatchObject({
    image: { revision: 2 },
    annotations: [{ uuid: target, color: "#00ff00", revision: 4, creator: "bob" }],
  });
  expect(await copies.store.images.get(1)).toMatchObject({ revision: 2, sceneRevision: 1 });
});

it("keeps the older revision if a change by another user lies between", async () => {
  const change = edit();
  await copies.keepAcknowledged([{ edit: change, answer: answer(change, { revision: 5, image_revision: 3 }) }]);
  expect(await sceneHere()).toMatchObject({ image: { revision: 1 }, annotations: [{ color: "#00ff00", revision: 3 }] });
});

it("adds and deletes annotations, with the figures of the list", async () => {
  const create = edit({ action: "create", target: randomUUID(), base: 0, after: { category_id: 2 } });
  await copies.keepAcknowledged([{ edit: create, answer: answer(create, { id: 8, revision: 0 }) }]);
  expect((await sceneHere())?.annotations[1]).toMatchObject({ id: 8, creator: "ada", category_id: 2 });
  expect(await copies.store.images.get(1)).toMatchObject({ num_annotations: 2, category_ids: [1, 2] });
  const remove = edit({ action: "delete", after: {} });
  await copies.keepAcknowledged([{ edit: remove, answer: answer(remove, { image_revision: 3 }) }]);
  expect(await copies.store.images.get(1)).toMatchObject({ num_annotations: 1, category_ids: [2], revision: 3 });
  // The number of the other annotation stays.
  expect(await sceneHere()).toMatchObject({ annotations: [{ id: 8 }], deleted: [[5, 1]] });
});

it("reads and writes a scene once for all its edits", async () => {
  const [read, write] = [vi.spyOn(copies.store, "storedScene"), vi.spyOn(copies.store.scenes, "put")];
  const edits = ["#000001", "#000002", "#000003"].map((color) => edit({ after: { color } }));
  await copies.keepAcknowledged(
    edits.map((each, i) => ({ edit: each, answer: answer(each, { revision: 4 + i, image_revision: 2 + i }) })),
  );
  expect([read.mock.calls.length, write.mock.calls.length]).toEqual([1, 1]);
  expect(await sceneHere()).toMatchObject({
    image: { revision: 4 },
    annotations: [{ color: "#000003", revision: 6 }],
  });
});

it("applies an edit also if many edits of an image without a copy are stored with it", async () => {
  const others = Array.from({ length: 150 }, () => edit({ image_id: 9, target: randomUUID() }));
  const change = edit();
  await copies.keepAcknowledged([...others, change].map((each) => ({ edit: each, answer: answer(each) })));
  expect(await sceneHere()).toMatchObject({ annotations: [{ uuid: target, color: "#00ff00" }] });
  expect(await copies.store.scenes.get(9)).toBeUndefined();
});

it("applies many edits between frames, and keeps changes that are made to the scene meanwhile", async () => {
  const written = vi.spyOn(copies.store.scenes, "put");
  const creations = Array.from({ length: 250 }, () =>
    edit({ action: "create", target: randomUUID(), base: 0, after: { category_id: 2 } }),
  );
  const many = creations.map((each, i) => ({
    edit: each,
    answer: answer(each, { id: 100 + i, revision: 0, image_revision: 3 + i }),
  }));
  const change = edit();
  await Promise.all([
    copies.keepAcknowledged(many),
    copies.keepAcknowledged([{ edit: change, answer: answer(change) }]),
  ]);
  expect(written).toHaveBeenCalledTimes(2);
  const scene = await sceneHere();
  expect(scene?.annotations.map(({ id }) => id)).toEqual([5, ...many.map((_, i) => 100 + i)]);
  expect(scene?.annotations[0]).toMatchObject({ color: "#00ff00", revision: 4 });
  expect(scene?.image.num_annotations).toBe(251);
});

it("follows the order in which the server has stored edits of different annotations", async () => {
  const [change, create] = [
    edit(),
    edit({ action: "create", target: randomUUID(), base: 0, after: { category_id: 2 } }),
  ];
  await copies.keepAcknowledged([
    { edit: change, answer: answer(change, { image_revision: 3 }) },
    { edit: create, answer: answer(create, { id: 8, revision: 1, image_revision: 2 }) },
  ]);
  expect(await sceneHere()).toMatchObject({ image: { revision: 3 }, annotations: [{ revision: 4 }, { id: 8 }] });
});

it("applies labels, metadata and categories", async () => {
  const image: Edit = {
    ...{ uuid: randomUUID(), image_id: 1, base: 1, subject: "image", action: "modify" },
    ...{ before: {}, after: { labels: [4], metadata: { weather: "rain" }, done: true } },
  };
  const category: Edit = {
    ...{ uuid: randomUUID(), image_id: 1, base: 0, subject: "category", target: 1, action: "modify" },
    ...{ before: {}, after: { color: "#0000ff" } },
  };
  await copies.keepAcknowledged([
    { edit: image, answer: answer(image) },
    { edit: category, answer: answer(category, { revision: 1, image_revision: 3 }) },
  ]);
  expect((await sceneHere())?.image).toMatchObject({
    labels: [4],
    metadata: { weather: "rain" },
    done: true,
    revision: 3,
  });
  expect(await copies.store.images.get(1)).toMatchObject({ category_ids: [1, 4], done: true });
  expect((await copies.store.datasets.get(1))?.categories).toMatchObject([{ color: "#0000ff", revision: 1 }]);
});

it("applies neither a refused edit nor one that the copy already has", async () => {
  const refused = edit();
  const old = edit({ after: { color: "#123456" } });
  await copies.keepAcknowledged([
    { edit: refused, answer: answer(refused, { status: "conflict" }) },
    { edit: old, answer: answer(old, { status: "seen", revision: 3, image_revision: 1 }) },
  ]);
  expect((await sceneHere())?.annotations[0]?.color).not.toBe("#00ff00");
  expect((await sceneHere())?.annotations[0]?.color).not.toBe("#123456");
});

it("does not replace an applied edit with a scene that was requested before it", async () => {
  server.annotate(1, blankAnnotation(randomUUID(), 1));
  const change = edit();
  server.beforeResponse = async (entry) => {
    if (entry.startsWith("scenes"))
      await copies.keepAcknowledged([{ edit: change, answer: answer(change, { image_revision: 3 }) }]);
  };
  await copies.store.datasets.update(1, { syncedAt: 1 });
  server.setAway(false);
  await eventually(async () => expect((await copies.store.datasets.get(1))?.syncedAt).toBeGreaterThan(1));
  expect((await sceneHere())?.annotations[0]?.color).toBe("#00ff00");
});

it("requests a first scene again if an edit was stored after it was sent", async () => {
  await copies.remove(1);
  const change = edit();
  let isSent = false;
  server.beforeResponse = async (entry) => {
    if (!entry.startsWith("scenes") || isSent) return;
    isSent = true;
    // The server stores the edit after it has read the scene that it is about to send.
    const { annotations, manifest } = server.image(1);
    Object.assign(annotations[0]!, change.after, { revision: 4 });
    manifest.revision = 2;
    await copies.keepAcknowledged([{ edit: change, answer: answer(change) }]);
  };
  await copies.choose(1, { form: "original", ids: null });
  await eventually(async () => expect((await copies.store.datasets.get(1))?.state).toBe("complete"));
  expect(await sceneHere()).toMatchObject({ image: { revision: 2 }, annotations: [{ color: "#00ff00", revision: 4 }] });
});

it("has the edit in the copy before the journal deletes it", async () => {
  const change = edit();
  const seen: (string | undefined)[] = [];
  const send = async () => ({ answers: [answer(change)] });
  const sync: Sync = new Sync(`journal ${randomUUID()}`, send, async (answered) => {
    expect(await sync.pendingOf(1)).toHaveLength(1);
    await copies.keepAcknowledged(answered);
    seen.push((await sceneHere())?.annotations[0]?.color);
  });
  await sync.record([change]);
  await eventually(async () => expect(await sync.pendingOf(1)).toEqual([]));
  expect(seen).toEqual(["#00ff00"]);
  await sync.wipe();
});
