import { expect, it } from "vitest";
import type { ManifestImage } from "../../../../shared/api/offline";
import { PAGE_SIZE } from "../../../../shared/constants";
import { idsOf, type ShownList } from "../../../../web/pages/offline/wishes";

const image = (id: number, path: string, annotated = false): ManifestImage => ({
  id,
  path,
  file_name: path.split("/").at(-1)!,
  width: 10,
  height: 10,
  annotated,
  num_annotations: annotated ? 1 : 0,
  done: false,
  stage: "open",
  category_ids: [],
  revision: 0,
  bytes: 1,
  hash: "",
});
const list = (part: Partial<ShownList>): ShownList => ({
  query: { folder: "" },
  page: 1,
  total: 0,
  isNarrowed: false,
  ...part,
});
const images = [image(3, "a.png", true), image(1, "c.png"), image(2, "trip/b.png")];

it("choosing the whole dataset stores no ids, so that later images are included", () => {
  expect(idsOf({ kind: "all" }, images, undefined)).toBeNull();
});

it("choosing the current filter stores the images that pass it, in its order", () => {
  const narrowed = list({ query: { folder: "", annotated: false, order: "-file_name" } });
  expect(idsOf({ kind: "filter" }, images, narrowed)).toEqual([1, 2]);
  expect(idsOf({ kind: "filter" }, images, list({ query: { folder: "trip" } }))).toEqual([2]);
});

it("the next images begin at the top of the open page, or of all images by file name", () => {
  expect(idsOf({ kind: "next", count: 2 }, images, undefined)).toEqual([3, 2]);
  const many = Array.from({ length: PAGE_SIZE.images + 3 }, (_, i) => image(i + 1, `${1000 + i}.png`));
  expect(idsOf({ kind: "next", count: 2 }, many, list({ page: 2 }))).toEqual([
    PAGE_SIZE.images + 1,
    PAGE_SIZE.images + 2,
  ]);
});

it("changing only the form of the files keeps the chosen images", () => {
  expect(idsOf({ kind: "same", ids: [9] }, images, undefined)).toEqual([9]);
});
