import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeFiles } from "../../../server/files/files";
import type { ImageFiles } from "../../../server/files/imageFiles";
import { ImageError } from "../../../server/files/paths/imageError";
import { eventually } from "../../support/eventually";
import { temporaryFolder } from "../../support/folders";
import {
  badImages,
  CORNERS,
  goodImages,
  HEIGHT,
  jpegWithOrientation,
  readCorners,
  upright,
  WIDTH,
  writeFiles,
} from "../../support/images";

const data = temporaryFolder();
const root = join(data, "datasets");
const folder = "set";
let images: ImageFiles;

beforeAll(async () => {
  images = makeFiles({ DATA_DIR: data, DATASETS_DIR: root, MAX_UPLOAD_MB: 100 }).images;
  await writeFiles(join(root, folder), await goodImages());
  await writeFiles(join(root, folder, "bad"), await badImages());
});

async function upload(bytes: Buffer): Promise<string> {
  const file = await images.temporary.make();
  writeFileSync(file, bytes);
  return file;
}

async function bytesOf(path: string, size: Parameters<ImageFiles["view"]>[1]): Promise<Buffer> {
  const facts = await images.probe(folder, path);
  const view = await images.view({ folder, path, ...facts }, size);
  const content = await view?.content();
  if (!content) throw new Error(`${path} has no view`);
  if (Buffer.isBuffer(content)) return content;
  return Buffer.concat(await (await content.stream()).toArray());
}

describe("probing an image", () => {
  it("recognises every type by its content, whatever the file's name, and returns the upright size", async () => {
    for (const name of Object.keys(await goodImages())) {
      const facts = await images.probe(folder, name);
      expect([name, facts.width, facts.height]).toEqual([name, WIDTH, HEIGHT]);
      expect(facts.hash).toMatch(/^[0-9a-f]{64}$/);
      expect(facts.bytes).toBe(readFileSync(join(root, folder, name)).length);
    }
    expect((await images.probe(folder, "png named.jpg")).mime).toBe("image/png");
    expect((await images.probe(folder, "plain.avif")).mime).toBe("image/avif");
    expect((await images.probe(folder, "plain.bmp")).mime).toBe("image/bmp");
  });

  it("refuses damaged, disguised and oversized files with a reason", async () => {
    const reasons: Record<string, string> = {};
    for (const name of Object.keys(await badImages())) {
      const error = await images.probe(folder, `bad/${name}`).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error, name).toBeInstanceOf(ImageError);
      reasons[name] = (error as ImageError).message;
    }
    expect(reasons).toMatchObject({
      "empty.jpg": "it is empty",
      "cut.jpg": "it is cut off",
      "cut.png": "it is cut off",
      "cut.gif": "it is cut off",
      "cut at a semicolon.gif": "it is cut off",
      "cut.webp": "it is cut off",
      "cut.tiff": "it is damaged",
      "cut.avif": "it is cut off",
      "cut.bmp": "it is cut off",
      "svg.png": "it is SVG or another XML file",
      "drawing.svg": "it is SVG or another XML file",
      "page.jpg": "it is a web page",
      "bomb.png": "it has more than 120 million pixels",
      "bomb.bmp": "it has more than 120 million pixels",
    });
  });

  it("accepts a complete JPEG with other bytes after its end", async () => {
    const whole = readFileSync(join(root, folder, "plain.jpg"));
    await writeFiles(join(root, folder), { "trailer.jpg": Buffer.concat([whole, Buffer.from("a camera's own data")]) });
    await expect(images.probe(folder, "trailer.jpg")).resolves.toMatchObject({ width: WIDTH });
  });
});

describe("the views of an image", () => {
  it("views show all eight EXIF orientations upright, small and full", async () => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const path = `exif/${orientation}.jpg`;
      await writeFiles(join(root, folder), { [path]: await jpegWithOrientation(orientation, 10) });
      expect(await images.probe(folder, path)).toMatchObject({ width: 400, height: 200, orientation });
      expect(await readCorners(await bytesOf(path, "full"))).toEqual({
        width: 400,
        height: 200,
        corners: [...CORNERS],
      });
      expect(await readCorners(await bytesOf(path, { width: 250 }))).toEqual({
        width: 250,
        height: 125,
        corners: [...CORNERS],
      });
    }
  });

  it("views are never larger than the image, and exist for every type", async () => {
    for (const name of Object.keys(await goodImages())) {
      const small = await readCorners(await bytesOf(name, { width: 20 }));
      const large = await readCorners(await bytesOf(name, { width: 250 }));
      expect([name, small.width, small.height]).toEqual([name, 20, 10]);
      expect([name, large.width, large.height]).toEqual([name, WIDTH, HEIGHT]);
      if (!/grey|transparent/.test(name)) expect([name, ...large.corners]).toEqual([name, ...CORNERS]);
    }
  });

  it("views fit into width and height, and into 2048 whatever is requested", async () => {
    await writeFiles(join(root, folder), { "wide.png": await upright(60).png().toBuffer() });
    expect(await readCorners(await bytesOf("wide.png", { width: 1000, height: 100 }))).toMatchObject({
      width: 200,
      height: 100,
    });
    expect(await readCorners(await bytesOf("wide.png", { width: 100_000 }))).toMatchObject({
      width: 2048,
      height: 1024,
    });
  });

  it("views are made once for all concurrent requests, and cached", async () => {
    const path = "once.jpg";
    await writeFiles(join(root, folder), { [path]: await jpegWithOrientation(1, 20) });
    const facts = await images.probe(folder, path);
    const view = await images.view({ folder, path, ...facts }, { width: 250 });
    const all = await Promise.all(Array.from({ length: 8 }, () => view?.content()));
    expect(new Set(all).size).toBe(1);
    const kept = join(data, "cache", "pictures", facts.hash.slice(0, 2));
    await eventually(() => expect(readdirSync(kept)).toEqual([`${view?.tag}.jpg`]));
    expect(await view?.content()).toEqual(all[0]);
  });

  it("a view is made again if the cached file is incomplete", async () => {
    const path = "once.jpg";
    const facts = await images.probe(folder, path);
    const view = await images.view({ folder, path, ...facts }, { width: 250 });
    const kept = join(data, "cache", "pictures", facts.hash.slice(0, 2), `${view?.tag}.jpg`);
    const whole = readFileSync(kept);
    for (const damaged of [Buffer.alloc(0), whole.subarray(0, 100)]) {
      writeFileSync(kept, damaged);
      expect(await view?.content()).toEqual(whole);
      await eventually(() => expect(readFileSync(kept)).toEqual(whole));
    }
  });

  it("views follow a file that was changed on the disk", async () => {
    await writeFiles(join(root, folder), { "changed.png": await upright(10).png().toBuffer() });
    const facts = await images.probe(folder, "changed.png");
    const before = await images.view({ folder, path: "changed.png", ...facts }, { width: 250 });
    await before?.content();
    await writeFiles(join(root, folder), { "changed.png": await upright(10).flop().png().toBuffer() });
    await utimes(join(root, folder, "changed.png"), new Date(), new Date(Date.now() + 5000));
    const after = await images.view({ folder, path: "changed.png", ...facts }, { width: 250 });
    expect(after?.tag).not.toBe(before?.tag);
    expect((await readCorners((await after?.content()) as Buffer)).corners[0]).toBe("lime");
  });

  it("an image without a file has no views", async () => {
    const gone = { folder, path: "gone.jpg", hash: "0".repeat(64), mime: "image/jpeg" };
    expect(await images.view(gone, { width: 250 })).toBeUndefined();
    expect(await images.open(folder, "gone.jpg")).toBeUndefined();
  });
});

describe("storing an upload", () => {
  it("puts it in place with its folders, and never overwrites another file", async () => {
    const bytes = await upright(2).png().toBuffer();
    const hash = (await images.probeUpload(await upload(bytes))).hash;
    expect(await images.store(folder, "new/deep/a.png", await upload(bytes), hash)).toBe("stored");
    expect(await images.store(folder, "new/deep/a.png", await upload(bytes), hash)).toBe("same");
    const other = await upload(await upright(3).png().toBuffer());
    const otherHash = (await images.probeUpload(other)).hash;
    expect(await images.store(folder, "new/deep/a.png", other, otherHash)).toBe("different");
    expect(readFileSync(join(root, folder, "new/deep/a.png"))).toEqual(bytes);
    expect(readdirSync(join(root, folder, "new/deep"))).toEqual(["a.png"]);
  });

  it("lets one of several simultaneous uploads win", async () => {
    const bytes = await upright(2).png().toBuffer();
    const { hash } = await images.probeUpload(await upload(bytes));
    const files = await Promise.all(Array.from({ length: 10 }, () => upload(bytes)));
    const answers = await Promise.all(files.map((file) => images.store(folder, "race.png", file, hash)));
    expect(answers.filter((answer) => answer === "stored")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "same")).toHaveLength(9);
  });

  it("follows no link and replaces no file in the way", async () => {
    const outside = join(data, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(root, folder, "link"));
    const bytes = await upright().png().toBuffer();
    await expect(images.store(folder, "link/a.png", await upload(bytes), "x")).rejects.toMatchObject({ status: 400 });
    await expect(images.store(folder, "plain.png/a.png", await upload(bytes), "x")).rejects.toMatchObject({
      status: 400,
    });
    expect(readdirSync(outside)).toEqual([]);
    rmSync(join(root, folder, "link"));
  });

  it("throws for a stored path that leads elsewhere", async () => {
    for (const path of ["../a.png", "a/../../b.png", "/etc/passwd", "a//b.png", "", "a\0.png", "."])
      await expect(images.open(folder, path), path).rejects.toThrow("Not a path inside a dataset");
    for (const bad of ["..", ".", "", "a/b", "a\0"])
      await expect(images.open(bad, "a.png"), bad).rejects.toThrow("Not the name of a dataset's folder");
  });
});

describe("reading a stored image", () => {
  it("returns ranges of it", async () => {
    const whole = readFileSync(join(root, folder, "plain.png"));
    const file = await images.open(folder, "plain.png");
    expect(Buffer.concat((await (await file?.stream(10, 19))?.toArray()) ?? [])).toEqual(whole.subarray(10, 20));
  });

  it("follows no link and opens nothing but regular files", async () => {
    writeFileSync(join(data, "secret"), "secret");
    mkdirSync(join(data, "elsewhere"));
    writeFileSync(join(data, "elsewhere", "a.png"), "secret");
    symlinkSync(join(data, "secret"), join(root, folder, "linked.png"));
    symlinkSync(join(data, "elsewhere"), join(root, folder, "linked"));
    execFileSync("mkfifo", [join(root, folder, "pipe.png")]);
    for (const path of ["linked.png", "linked/a.png", "pipe.png", "exif"])
      expect(await images.open(folder, path), path).toBeUndefined();
    symlinkSync(join(root, folder), join(root, "linkedSet"));
    expect(await images.open("linkedSet", "plain.png")).toBeUndefined();
    for (const name of [join(folder, "linked.png"), join(folder, "linked"), join(folder, "pipe.png"), "linkedSet"])
      rmSync(join(root, name));
  });
});

describe("the folder of a new dataset", () => {
  const nobody = async () => false;

  it("the folder has the dataset's name as far as file systems allow", async () => {
    expect(await images.makeFolder("Cats & dogs", nobody)).toBe("Cats & dogs");
    expect(await images.makeFolder("../../etc", nobody)).toBe("__.._etc");
    expect(await images.makeFolder("CON", nobody)).toBe("CON_");
    expect(await images.makeFolder("a/b:c", nobody)).toBe("a_b_c");
    expect(await images.makeFolder("...", nobody)).toBe("_");
    expect(await images.makeFolder(" x. ", nobody)).toBe("_x");
    expect(Buffer.byteLength(await images.makeFolder("ж".repeat(100), nobody))).toBeLessThanOrEqual(200);
    for (const name of readdirSync(root)) expect(existsSync(join(root, name))).toBe(true);
    expect(existsSync(join(data, "etc"))).toBe(false);
  });

  it("the folder is unused by other datasets, and an existing one is adopted", async () => {
    const name = randomUUID();
    mkdirSync(join(root, name));
    writeFileSync(join(root, `${name}-2`), "a file in the way");
    expect(await images.makeFolder(name, nobody)).toBe(name);
    expect(await images.makeFolder(name, async (taken) => taken === name)).toBe(`${name}-3`);
  });
});
