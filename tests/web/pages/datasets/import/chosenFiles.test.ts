import { expect, it } from "vitest";
import { chosenFrom, nameFrom } from "../../../../../web/pages/datasets/import/chosenFiles";

function file(path: string): File {
  const made = new File(["x"], path.slice(path.lastIndexOf("/") + 1));
  Object.defineProperty(made, "webkitRelativePath", { value: path.includes("/") ? path : "" });
  return made;
}
const paths = (files: File[]) => chosenFrom(files).images.map(({ path }) => path);

it("suggests the file's name without its extension", () => {
  expect(nameFrom(file("instances val.2017.json"))).toBe("instances val.2017");
  expect(nameFrom(file("noending"))).toBe("noending");
});

it("uses a chosen folder as the dataset, keeps its subfolders, and skips hidden files", () => {
  expect(paths([file("Cats/a.jpg"), file("Cats/sub/b.jpg"), file("Cats/.DS_Store")])).toEqual(["a.jpg", "sub/b.jpg"]);
  expect(paths([file("a.jpg"), file("b.zip")])).toEqual(["a.jpg", "b.zip"]);
  expect(paths([])).toEqual([]);
});

it("distinguishes COCO files that are among the images", () => {
  const { images, cocoFiles } = chosenFrom([file("Cats/a.jpg"), file("Cats/annotations.JSON")]);
  expect(images.map(({ path }) => path)).toEqual(["a.jpg"]);
  expect(cocoFiles.map(({ name }) => name)).toEqual(["annotations.JSON"]);
});
