import { expect, it } from "vitest";
import { Stems } from "../../../../server/features/exports/stems";

it("an image's file is named after its path without extension, uniquely", () => {
  const stems = new Stems();
  const paths = ["a.jpg", "a.png", "A.JPG", "sub/a.jpg", "a.png.jpg", "a.png.gif", "no ending", "x.tar.gz", "d.e/f"];
  expect(paths.map((path) => stems.of(path))).toEqual([
    "a",
    "a.png",
    "A.JPG",
    "sub/a",
    "a.png.jpg",
    "a.png.gif",
    "no ending",
    "x.tar",
    "d.e/f",
  ]);
});
