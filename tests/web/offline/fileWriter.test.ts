import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CopyStore } from "../../../web/offline/copy/copyStore";
import type { DatasetRow, ImageRow } from "../../../web/offline/copy/records";
import { FileWriter } from "../../../web/offline/download/fileWriter";

let store: CopyStore;

beforeEach(async () => {
  store = new CopyStore(`limn-copy / writer ${crypto.randomUUID()}`);
  await store.datasets.put({ id: 1, dataset: { name: "town" }, choice: { form: "original", ids: null } } as DatasetRow);
  await store.images.bulkPut(Array.from({ length: 30 }, (_, i) => rowOf(i + 1)));
});
afterEach(() => store.wipe());

const rowOf = (id: number) => ({ id, dataset_id: 1, hash: `h${id}`, file: null, sceneRevision: 1 }) as ImageRow;
const arrived = (id: number) => ({ row: rowOf(id), form: "original" as const, blob: new Blob(["x"]) });

it("stores waiting files in batches, and the rest when it is flushed", async () => {
  const put = vi.spyOn(store.files, "bulkPut");
  const writer = new FileWriter(store);
  for (let id = 1; id <= 20; id++) await writer.add(arrived(id));
  await writer.flush();
  expect(await store.files.count()).toBe(20);
  expect(put.mock.calls.length).toBeLessThanOrEqual(3);
  expect((await store.images.get(20))?.file).toEqual({ form: "original", hash: "h20", bytes: 1 });
});

it("continues after a flush with nothing to store", async () => {
  const writer = new FileWriter(store);
  await writer.flush();
  await writer.add(arrived(1));
  await writer.flush();
  await writer.flush();
  await writer.add(arrived(2));
  await writer.flush();
  expect(await store.files.count()).toBe(2);
});

it("leaves out files whose image or dataset has left the copy", async () => {
  const writer = new FileWriter(store);
  await store.images.delete(1);
  await store.images.update(2, { dataset_id: 7 });
  for (const id of [1, 2, 3]) await writer.add(arrived(id));
  await writer.flush();
  expect(await store.files.toCollection().primaryKeys()).toEqual([3]);
});
