import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getCategories } from "../../../../shared/api/category";
import { getStatistics } from "../../../../shared/api/datasets/dataset";
import { getDataset } from "../../../../shared/api/datasets/datasetImages";
import { getDatasetCoco } from "../../../../shared/api/export";
import { getImageCoco } from "../../../../shared/api/image";
import type { Parts } from "../../../../shared/api/protocol/address";
import type { Call } from "../../../../shared/api/protocol/call";
import { blankAnnotation } from "../../../../shared/edits/apply";
import type { Edit } from "../../../../shared/edits/edit";
import { type AnsweringCopies, answersOf } from "../../../../web/offline/answers/answersOf";
import { Copies } from "../../../../web/offline/download/userCopies";
import { Journal } from "../../../../web/sync/journal/journal";
import { eventually } from "../../../support/eventually";
import { FakeServer } from "../fakeServer";

/** Local answers while edits wait for the server. */
const BOX = [[[10, 10, 60, 10, 60, 40, 10, 40]]];
const imported = { ...blankAnnotation(randomUUID(), 1), id: 4, category_id: 1, revision: 1, rings: BOX, area: 1500 };

let server: FakeServer;
let copies: Copies;
let journal: Journal;
let answers: ReturnType<typeof answersOf>;

beforeEach(async () => {
  server = new FakeServer();
  server.add(1, 2, 3);
  server.annotate(1, imported);
  copies = new Copies(`copy ${randomUUID()}`, "ada", server.ports);
  await copies.choose(1, { form: "original", ids: null });
  await eventually(async () => expect((await copies.store.datasets.get(1))?.state).toBe("complete"));
  journal = new Journal(`journal ${randomUUID()}`);
  answers = answersOf(copies as AnsweringCopies, journal, "ada");
});
afterEach(async () => {
  answers.close();
  await copies.wipe();
});

const find = async (call: Call, parts: Parts) => (await answers.find(call, parts)) as never;

async function add(...edits: Partial<Edit>[]): Promise<void> {
  const rows = edits.map((edit) => {
    const whole = { uuid: randomUUID(), base: 0, image_id: 1, before: {}, action: "modify", ...edit } as Edit;
    return { uuid: whole.uuid, client: "tab", image_id: whole.image_id, edit: whole, saw: 0 };
  });
  await journal.add(rows);
}

const drawBox = (image_id: number, target = randomUUID()): Partial<Edit> => ({
  ...{ subject: "annotation", action: "create", image_id, target },
  after: { category_id: 1, rings: BOX, isbbox: true },
});

async function cocoOf(id: number): Promise<{ annotations: { id: number; area: number; bbox: number[] }[] }> {
  const file: Blob = await find(getDatasetCoco, { params: { id } });
  return JSON.parse(await file.text());
}

it("reads the journal once for a page that needs the edits of images and of categories", async () => {
  await add(drawBox(1));
  const read = vi.spyOn(journal, "queued");
  const page: { images: { num_annotations: number }[] } = await find(getDataset, { params: { id: 1 } });
  expect(page.images[0]?.num_annotations).toBe(2);
  expect(read).toHaveBeenCalledTimes(1);
});

it("a COCO file has pending annotations with area and box, and lacks deleted ones", async () => {
  expect((await cocoOf(1)).annotations).toMatchObject([{ id: 4, area: 1500 }]);
  await add(drawBox(2), { subject: "annotation", action: "delete", target: imported.uuid, after: {} });
  const { annotations } = await cocoOf(1);
  expect(annotations).toMatchObject([{ image_id: 2, area: 1500, bbox: [10, 10, 50, 30] }]);
  expect(annotations[0]?.id).toBeGreaterThan(4);
  expect(await find(getImageCoco, { params: { id: 2 } })).toMatchObject({ annotations: [{ area: 1500 }] });
  expect(await find(getImageCoco, { params: { id: 1 } })).toMatchObject({ annotations: [] });
});

it("a COCO file is not made for a user who may not export the dataset", async () => {
  await copies.store.datasets.toCollection().modify((row) => {
    row.dataset.permissions = { ...row.dataset.permissions, download: false };
  });
  expect(await find(getDatasetCoco, { params: { id: 1 } })).toBeUndefined();
  expect(await find(getImageCoco, { params: { id: 1 } })).toBeUndefined();
});

it("lists and statistics count pending annotations once, however many readers there are", async () => {
  await add(drawBox(2), drawBox(3));
  const lists = Array.from({ length: 4 }, () => find(getDataset, { params: { id: 1 }, query: {} }));
  for (const { images } of (await Promise.all(lists)) as { images: { num_annotations: number }[] }[])
    expect(images.map(({ num_annotations }) => num_annotations)).toEqual([1, 1, 1]);
  await add(drawBox(3));
  const { images } = (await find(getDataset, { params: { id: 1 }, query: {} })) as {
    images: { num_annotations: number }[];
  };
  expect(images.map(({ num_annotations }) => num_annotations)).toEqual([1, 1, 2]);
  expect(await find(getStatistics, { params: { id: 1 } })).toMatchObject({
    total: { Images: 3, "Annotated Images": 3, Annotations: 4 },
  });
});

it("lists and COCO files have a category's pending colour and keypoints", async () => {
  const after = { color: "#00ff00", keypoint_labels: ["nose"], keypoint_label_ids: [1], keypoint_colors: ["#ff0000"] };
  await add({ subject: "category", target: 1, after } as Partial<Edit>);
  expect(await find(getCategories, { query: {} })).toMatchObject({ categories: [{ color: "#00ff00" }] });
  const file: Blob = await find(getDatasetCoco, { params: { id: 1 } });
  expect(JSON.parse(await file.text()).categories).toMatchObject([{ keypoints: ["nose"] }]);
});
