// @vitest-environment jsdom
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batches, type UploadFile, uploadFiles } from "../../../../web/pages/uploads/uploads";

const fileAt = (path: string, extra: object = {}) => Object.assign(new File(["x"], path.split("/").at(-1)!), extra);
const sized = (path: string, size: number): UploadFile => ({ path, file: { size } as File });

describe("uploadFiles", () => {
  it("keeps the folders of a dropped or chosen folder", () => {
    const files = [
      fileAt("a.jpg", { path: "/holiday/a.jpg" }),
      fileAt("b.jpg", { path: "./b.jpg" }),
      Object.defineProperty(fileAt("c.jpg"), "webkitRelativePath", { value: "holiday/sea/c.jpg" }),
      fileAt("d.jpg"),
    ];
    expect(uploadFiles(files).map(({ path }) => path)).toEqual([
      "holiday/a.jpg",
      "b.jpg",
      "holiday/sea/c.jpg",
      "d.jpg",
    ]);
  });

  it("skips files that operating systems hide", () => {
    const paths = ["/x/.DS_Store", "/.git/config", "/x/__MACOSX/a.jpg", "/x/Thumbs.db", "/x/a.jpg"];
    expect(uploadFiles(paths.map((path) => fileAt(path, { path }))).map(({ path }) => path)).toEqual(["x/a.jpg"]);
  });
});

describe("batches", () => {
  it("batches lose no file, keep the order, and bound each request", () => {
    const anyFile = fc.tuple(fc.constantFrom("a.jpg", "b.zip"), fc.integer({ min: 0, max: 50_000_000 }));
    fc.assert(
      fc.property(fc.array(anyFile, { maxLength: 80 }), (list) => {
        const files = list.map(([path, size]) => sized(path, size));
        const result = batches(files);
        expect(result.flat()).toEqual(files);
        for (const batch of result) {
          expect(batch.length).toBeLessThanOrEqual(20);
          if (batch.length === 1) continue;
          expect(batch.reduce((sum, { file }) => sum + file.size, 0)).toBeLessThanOrEqual(32_000_000);
          expect(batch.every(({ path }) => !path.endsWith(".zip"))).toBe(true);
        }
      }),
    );
  });
});
