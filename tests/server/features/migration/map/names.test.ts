import { expect, it } from "vitest";
import { usernameFor } from "../../../../../server/features/migration/map/names";
import { imagePlace, safeImagePath } from "../../../../../server/features/migration/map/paths";
import { readSegmentation } from "../../../../../server/features/migration/map/segmentation";

it.each([
  ["ann", "ann"],
  ["Jörg Müller", "Jorg_Muller"],
  ["a/b", "a_b"],
  ["ann@example.org", "ann_example.org"],
  ["system", "system-2"],
  ["..", "user"],
  ["漢字", "user"],
  ["", "user"],
  ["abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxy"],
  ["taken", "taken-2"],
  ["Taken", "Taken-2"],
])("the name %j becomes %s", (old, name) => {
  expect(usernameFor(old, (lower) => lower === "taken")).toBe(name);
});

const cats = { name: "cats", directory: "/datasets/cats/" };

it.each([
  ["/datasets/cats/a/1.jpg", "a/1.jpg", "cats/a/1.jpg"],
  ["/datasets/cats//1.jpg", "1.jpg", "cats/1.jpg"],
  ["/data/cats/1.jpg", "1.jpg", "cats/1.jpg"],
  ["/datasets/cats/cats/1.jpg", "cats/1.jpg", "cats/cats/1.jpg"],
  ["C:\\datasets\\cats\\1.jpg", "1.jpg", "cats/1.jpg"],
  ["/datasets/cats/../../etc/passwd", "etc/passwd", "cats/etc/passwd"],
  ["/elsewhere/1.jpg", "1.jpg", "cats/1.jpg"],
  ["", "9.jpg", "cats/9.jpg"],
])("the image %s is at %s in its dataset", (path, inside, file) => {
  const place = imagePlace(cats, path, "9.jpg");
  expect(place).toMatchObject({ path: inside, isRenamed: false });
  expect(place?.candidates[0]).toBe(file);
  for (const candidate of place?.candidates ?? []) expect(candidate.split("/")).not.toContain("..");
});

it("an image without path and name has no place", () => {
  expect(imagePlace(cats, "", "")).toBeUndefined();
});

it.each([
  ["a/1.jpg", "a/1.jpg"],
  [".hidden/1.jpg", "_hidden/1.jpg"],
  ["a /b..jpg", "a_/b..jpg"],
  ["con/1\u202e.jpg", "con_/1_.jpg"],
  [`${"x".repeat(300)}.jpg`, `${"x".repeat(200)}.jpg`],
])("the path %j becomes %j", (old, path) => {
  expect(safeImagePath(old)).toBe(path);
});

it.each([
  [[[1, 2, 3, 4, 5, 6]], { rings: [[1, 2, 3, 4, 5, 6]], isChanged: false }],
  [[1, 2, 3, 4, 5, 6], { rings: [[1, 2, 3, 4, 5, 6]], isChanged: true }],
  [
    [
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
    { rings: [[1, 2, 3, 4, 5, 6]], isChanged: false },
  ],
  [[[1, 2, 3, 4, 5, 6, Number.NaN, 8]], { rings: [[1, 2, 3, 4, 5, 6]], isChanged: true }],
  [
    [
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5, 6],
    ],
    { rings: [[1, 2, 3, 4, 5, 6]], isChanged: true },
  ],
  [[[]], null],
  [null, null],
  [{ size: [20, 40], counts: "0:" }, { mask: { size: [20, 40], counts: "0:" } }],
])("reads the segmentation %j", (value, segmentation) => {
  expect(readSegmentation(value)).toEqual(segmentation);
});
