import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { blankAnnotation } from "../../../shared/edits/apply";
import { Copies } from "../../../web/offline/download/userCopies";
import { eventually } from "../../support/eventually";
import { FakeServer } from "./fakeServer";

let server: FakeServer;
let copies: Copies;

beforeEach(async () => {
  server = new FakeServer();
  server.add(1, 2, 3);
  copies = new Copies(`copy ${randomUUID()}`, "ada", server.ports);
  await copies.choose(1, { form: "original", ids: null });
  await eventually(() => expect(shown()?.state).toBe("complete"));
  server.log.length = 0;
});
afterEach(() => copies.wipe());

const shown = () => copies.state.getState().datasets[0];

/** Ages the copy, lets the server return, and waits for the update. */
async function update(): Promise<void> {
  await copies.store.datasets.update(1, { syncedAt: 1 });
  server.setAway(false);
  await eventually(async () => {
    const row = await copies.store.datasets.get(1);
    expect(row?.state === "complete" && (row.syncedAt ?? 0) > 1).toBe(true);
  });
}

it("requests nothing but the manifest if nothing has changed", async () => {
  await update();
  expect(server.log).toEqual(["manifest"]);
});

it("updates a copy although the clock was ahead at the last update", async () => {
  await copies.store.datasets.update(1, { syncedAt: Date.now() + 30 * 86_400_000 });
  server.setAway(false);
  await eventually(async () => expect((await copies.store.datasets.get(1))?.syncedAt).toBeLessThanOrEqual(Date.now()));
  expect(server.log).toEqual(["manifest"]);
});

it("requests only the scene of an image whose annotations changed", async () => {
  server.annotate(2, { ...blankAnnotation(randomUUID(), 2), id: 9, category_id: 1 });
  await update();
  expect(server.log).toEqual(["manifest", "scenes 2"]);
  expect((await copies.store.scenes.get(2))?.annotations).toMatchObject([{ id: 9 }]);
  expect(await copies.store.images.get(2)).toMatchObject({ revision: 1, sceneRevision: 1, num_annotations: 1 });
});

it("downloads new images of a dataset that is chosen as a whole", async () => {
  server.add(4);
  await update();
  expect(server.log).toEqual(["manifest", "scenes 4", "file 4"]);
  await eventually(() => expect(shown()?.images).toEqual({ total: 4, here: 4 }));
});

it("lists new images without downloading them if only some images are chosen", async () => {
  await copies.choose(1, { form: "original", ids: [1] });
  await eventually(() => expect(shown()).toMatchObject({ state: "complete", images: { total: 1 } }));
  server.log.length = 0;
  server.add(4);
  await update();
  expect(server.log).toEqual(["manifest"]);
  expect(await copies.store.images.get(4)).toMatchObject({ path: "4.jpg", sceneRevision: null, file: null });
});

it("replaces the file of an image whose hash changed, and shows the old one until then", async () => {
  const image = server.image(2);
  image.manifest.hash = "other";
  image.content = "new";
  await copies.store.thumbnails.put({ image_id: 2, blob: new Blob(["old"]) });
  let before: string | undefined;
  server.beforeResponse = async (entry) => {
    if (entry === "file 2") before = await (await copies.store.files.get(2))?.blob.text();
  };
  await update();
  expect(server.log).toEqual(["manifest", "file 2"]);
  expect(before).toBe("image 2");
  expect(await (await copies.store.files.get(2))?.blob.text()).toBe("new");
  expect(await copies.store.thumbnails.count()).toBe(0);
});

it("moves an image without requesting it again", async () => {
  Object.assign(server.image(2).manifest, { path: "moved/b.jpg", file_name: "b.jpg", done: true });
  await update();
  expect(server.log).toEqual(["manifest"]);
  expect(await copies.store.images.get(2)).toMatchObject({ path: "moved/b.jpg", done: true });
  expect((await copies.store.scenes.get(2))?.image).toMatchObject({ path: "moved/b.jpg", file_name: "b.jpg" });
});

it("removes an image that was deleted, with everything that belongs to it", async () => {
  server.images.delete(2);
  await update();
  for (const table of [copies.store.images, copies.store.scenes, copies.store.files])
    expect(await table.toCollection().primaryKeys()).toEqual([1, 3]);
  await eventually(() => expect(shown()?.images).toEqual({ total: 2, here: 2 }));
});

it("removes an image that was deleted between manifest and scenes", async () => {
  server.annotate(2, blankAnnotation(randomUUID(), 2));
  server.beforeResponse = (entry) => void (entry === "manifest" && server.images.delete(2));
  await update();
  expect(await copies.store.images.toCollection().primaryKeys()).toEqual([1, 3]);
});

it("updates changed categories and keypoint definitions", async () => {
  server.categories = server.categories.map((category) => ({
    ...{ ...category, name: "person", revision: 4 },
    ...{ keypoint_labels: ["nose"], keypoint_label_ids: [1], keypoint_colors: ["#00ff00"] },
  }));
  await update();
  expect((await copies.store.datasets.get(1))?.categories).toEqual(server.categories);
});

it("removes a dataset that is no longer accessible and reports it", async () => {
  server.isGone = true;
  await copies.store.datasets.update(1, { syncedAt: 1 });
  server.setAway(false);
  await eventually(() => expect(shown()).toMatchObject({ name: "dataset 1", state: "failed", images: { here: 0 } }));
  expect(shown()?.problem).toContain("deleted, or you no longer have access to it");
  for (const table of [copies.store.datasets, copies.store.images, copies.store.scenes, copies.store.files])
    expect(await table.count()).toBe(0);
  await copies.remove(1);
  await eventually(() => expect(shown()).toBeUndefined());
});

it("keeps a dataset that the server lists although its manifest is not found", async () => {
  server.hidesManifest = true;
  await copies.store.datasets.update(1, { syncedAt: 1 });
  server.setAway(false);
  await eventually(() => expect(shown()).toMatchObject({ state: "failed", images: { here: 3 } }));
  expect(await copies.store.files.count()).toBe(3);
});
