import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeFiles } from "../../../server/files/files";
import type { Trash } from "../../../server/files/trash";
import { temporaryFolder } from "../../support/folders";
import { upright } from "../../support/images";

describe("files in the trash", () => {
  let root: string;
  let data: string;
  let trash: Trash;
  beforeEach(() => {
    data = temporaryFolder();
    root = join(data, "datasets");
    ({ trash } = makeFiles({ DATA_DIR: data, DATASETS_DIR: root, MAX_UPLOAD_MB: 1 }));
  });
  const put = (path: string, content: string | Buffer = path) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const image = (path: string) => ({ folder: "set", path, hash: "h" });
  const always = async () => true;

  test("a file is moved to the trash with its path, and back again", async () => {
    put("set/a/b.jpg");
    expect(await trash.discard("image-1", image("a/b.jpg"), { durable: true })).toBe(true);
    expect(existsSync(join(root, "set/a/b.jpg"))).toBe(false);
    expect((await trash.entries()).map(({ name }) => name)).toEqual(["image-1"]);
    await trash.putBack("image-1", "set", always);
    expect(existsSync(join(root, "set/a/b.jpg"))).toBe(true);
    expect(await trash.entries()).toEqual([]);
  });

  test("a missing file is not an error, and two callers that move one file move it once", async () => {
    expect(await trash.discard("image-1", image("gone.jpg"))).toBe(false);
    put("set/a.jpg");
    const moved = await Promise.all([1, 2, 3].map((n) => trash.discard(`image-${n}`, image("a.jpg"))));
    expect(moved.filter(Boolean)).toHaveLength(1);
  });

  test("nothing outside the dataset's folder is moved, by name or by link", async () => {
    put("other/secret.jpg");
    mkdirSync(join(root, "set"), { recursive: true });
    symlinkSync(join(root, "other"), join(root, "set", "link"));
    symlinkSync(join(root, "other", "secret.jpg"), join(root, "set", "secret.jpg"));
    for (const path of ["link/secret.jpg", "secret.jpg"])
      expect(await trash.discard("image-1", image(path))).toBe(false);
    for (const path of ["../other/secret.jpg", "/etc/passwd", ""])
      await expect(trash.discard("image-1", image(path))).rejects.toThrow();
    for (const entry of ["..", "image-1/..", "", "image-", ".trash"]) {
      await expect(trash.discard(entry, image("x.jpg"))).rejects.toThrow();
      expect(() => trash.remove(entry)).toThrow();
    }
    expect(existsSync(join(root, "other/secret.jpg"))).toBe(true);
  });

  test("empty folders are removed from the innermost out; links and folders with a file stay", async () => {
    for (const path of ["set/a/b/c", "set/d", "set/e"]) mkdirSync(join(root, path), { recursive: true });
    put("set/e/notes.txt");
    put("other/x.jpg");
    symlinkSync(join(root, "other"), join(root, "set", "link"));
    await trash.removeEmptyFolders("set");
    expect(readdirSync(join(root, "set")).sort()).toEqual(["e", "link"]);
    expect(existsSync(join(root, "other/x.jpg"))).toBe(true);
    mkdirSync(join(root, "bare/x/y"), { recursive: true });
    await trash.removeEmptyFolders("bare");
    expect(existsSync(join(root, "bare"))).toBe(false);
    await expect(trash.removeEmptyFolders("never there")).resolves.toBeUndefined();
  });

  test("thumbnails are removed with their image", async () => {
    const { images } = makeFiles({ DATA_DIR: data, DATASETS_DIR: root, MAX_UPLOAD_MB: 1 });
    put("set/a.png", await upright(20).png().toBuffer());
    const source = { folder: "set", path: "a.png", hash: "abcdef", mime: "image/png" };
    for (const size of [{ width: 250 }, "full"] as const) await (await images.view(source, size))?.content();
    const kept = () =>
      readdirSync(join(data, "cache"), { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    await expect.poll(() => kept().length).toBe(2);
    await trash.discard("image-1", source);
    expect(kept()).toEqual([]);
  });
});
