import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { type Files, makeFiles } from "../../../server/files/files";
import { ImageError, ZipGone } from "../../../server/files/paths/imageError";
import type { ListedFile } from "../../../server/files/paths/listFiles";
import { eventually } from "../../support/eventually";
import { temporaryFolder } from "../../support/folders";
import { goodImages, jpegWithOrientation, readCorners, upright } from "../../support/images";
import { describeOnS3 } from "../../support/s3Server";

/** The same tests for every storage. `settings` returns those of a new, empty one. */
function behaves(settings: () => Promise<Record<string, string>>): void {
  const data = temporaryFolder();
  const folder = "a set, ö+%?#&=";
  let files: Files;

  beforeAll(async () => {
    files = makeFiles({
      DATA_DIR: data,
      DATASETS_DIR: join(data, "datasets"),
      MAX_UPLOAD_MB: 100,
      ...(await settings()),
    });
    await files.images.makeFolder(folder, async () => false);
  });

  async function upload(bytes: Buffer): Promise<string> {
    const file = await files.images.temporary.make();
    writeFileSync(file, bytes);
    return file;
  }
  async function store(path: string, bytes: Buffer, inside = folder) {
    const file = await upload(bytes);
    const { hash } = await files.images.probeUpload(file);
    const stored = await files.images.store(inside, path, file, hash);
    expect(existsSync(file)).toBe(stored !== "stored");
    await files.images.temporary.remove(file);
    return stored;
  }
  const read = async (path: string, ...range: number[]) => {
    const file = await files.images.open(folder, path);
    return file && buffer(await file.stream(...range));
  };
  async function list(inside = folder) {
    const found: ListedFile[] = [];
    for await (const one of files.images.listFiles(inside)) found.push(one);
    return found;
  }
  const temporaryNames = () => readdirSync(join(data, "tmp"));
  const picture = (blocks: number) => upright(blocks).png().toBuffer();

  it("is usable, and belongs to one installation", async () => {
    await files.check();
    const id = randomUUID();
    await files.claim(id, "mark");
    await files.claim(id, "check");
  });

  it("stores an upload once, and never overwrites another", async () => {
    const [one, other] = [await picture(2), await picture(3)];
    expect(await store("deep/er/ä b+c%20?#.png", one)).toBe("stored");
    expect(await store("deep/er/ä b+c%20?#.png", one)).toBe("same");
    expect(await store("deep/er/ä b+c%20?#.png", other)).toBe("different");
    expect(await read("deep/er/ä b+c%20?#.png")).toEqual(one);
    expect(await files.images.state(folder, "deep/er/ä b+c%20?#.png")).toMatchObject({ bytes: one.length });
  });

  it("lets one of several simultaneous uploads win", async () => {
    const bytes = await picture(2);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => store("race.png", bytes)));
    expect(outcomes.filter((outcome) => outcome === "stored")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "same")).toHaveLength(5);
  });

  it("reads ranges, and reports a missing file as undefined", async () => {
    const bytes = await picture(4);
    await store("range.png", bytes);
    expect(await read("range.png", 10, 19)).toEqual(bytes.subarray(10, 20));
    expect(await read("range.png", bytes.length - 1, bytes.length - 1)).toEqual(bytes.subarray(-1));
    expect(await files.images.open(folder, "missing.png")).toBeUndefined();
    expect(await files.images.state(folder, "missing.png")).toBeUndefined();
    await expect(files.images.probe(folder, "missing.png")).rejects.toThrow(ImageError);
    expect(await files.images.view({ folder, path: "missing.png", hash: "0", mime: "image/png" }, "full")).toBe(
      undefined,
    );
  });

  it("refuses paths that lead out of the dataset", async () => {
    for (const path of ["../a.png", "a/../../b.png", "/etc/passwd", "a//b.png", "", "a\0.png", "."])
      await expect(files.images.open(folder, path), path).rejects.toThrow("Not a path inside a dataset");
    for (const bad of ["..", ".", "", "a/b", "a\0"])
      await expect(files.images.open(bad, "a.png"), bad).rejects.toThrow("Not the name of a dataset's folder");
  });

  it("lists its files with the size and time that their state has, and a probe returns", async () => {
    const inside = "listed";
    await files.images.makeFolder(inside, async () => false);
    for (const path of ["b/2.png", "a.png", "b/c/ü +.png"]) await store(path, await picture(2), inside);
    const found = await list(inside);
    expect(found.map(({ path }) => path).sort()).toEqual(["a.png", "b/2.png", "b/c/ü +.png"]);
    for (const { path, ...state } of found) {
      expect(await files.images.state(inside, path)).toEqual(state);
      expect(await files.images.probe(inside, path)).toMatchObject(state);
    }
  });

  it("moves a file, and never onto another", async () => {
    const [one, other] = [await picture(2), await picture(3)];
    await store("from ö.png", one);
    await store("taken.png", other);
    const { images } = files;
    expect(await images.move(folder, "from ö.png", "taken.png")).toBe("taken");
    expect(await images.move(folder, "from ö.png", "to/new+name.png")).toBe("moved");
    expect(await images.move(folder, "from ö.png", "to/other.png")).toBe("gone");
    expect(await read("to/new+name.png")).toEqual(one);
    expect(await read("taken.png")).toEqual(other);
    expect(await read("from ö.png")).toBeUndefined();
  });

  it("shows views of every type, caches thumbnails, and leaves no temporary files", async () => {
    for (const [path, bytes] of Object.entries(await goodImages())) {
      await store(path, bytes);
      const image = { folder, path, ...(await files.images.probe(folder, path)) };
      for (const size of [{ width: 20 }, { width: 250 }] as const) {
        const view = await files.images.view(image, size);
        const { width } = await readCorners((await view?.content()) as Buffer);
        expect([path, width]).toEqual([path, Math.min(size.width, 40)]);
        expect(await view?.content()).toBeInstanceOf(Buffer);
      }
      await files.images.isShownAsStored(image);
    }
    const path = "turned.jpg";
    await store(path, await jpegWithOrientation(6, 10));
    const image = { folder, path, ...(await files.images.probe(folder, path)) };
    expect(await files.images.isShownAsStored(image)).toBe(true);
    const view = await files.images.view(image, "full");
    for (let round = 0; round < 2; round++) {
      const content = await view?.content();
      if (!content || Buffer.isBuffer(content)) throw new Error("a full view is a file");
      const bytes = await buffer(await content.stream());
      expect(bytes.length).toBe(content.bytes);
      expect(await readCorners(bytes)).toMatchObject({ width: 400, height: 200 });
    }
    const box = { left: 1, top: 2, right: 11, bottom: 7 };
    expect(await files.images.part(image, box)).toMatchObject({ width: 10, height: 5 });
    await eventually(() => expect(temporaryNames()).toEqual([]));
  });

  it("discards a file to the trash, and puts it back where nothing is in the way", async () => {
    const { trash } = files;
    const [one, other] = [await picture(2), await picture(3)];
    const image = (path: string) => ({ folder, path, hash: "h" });
    await store("t/one.png", one);
    expect(await trash.discard("image-1", image("t/one.png"), { durable: true })).toBe(true);
    expect(await trash.discard("image-2", image("t/one.png"))).toBe(false);
    expect(await read("t/one.png")).toBeUndefined();
    expect((await trash.entries()).map(({ name }) => name)).toEqual(["image-1"]);
    await trash.putBack("image-1", folder, async () => false);
    expect(await read("t/one.png")).toBeUndefined();
    await trash.putBack("image-1", folder, async (path) => path === "t/one.png");
    expect(await read("t/one.png")).toEqual(one);
    expect(await trash.entries()).toEqual([]);

    await trash.discard("image-1", image("t/one.png"));
    await store("t/one.png", other);
    await trash.putBack("image-1", folder, async () => true);
    expect(await read("t/one.png")).toEqual(other);
    await trash.remove("image-1");
    expect(await trash.entries()).toEqual([]);
    await trash.removeEmptyFolders(folder);
    expect(await read("t/one.png")).toEqual(other);
  });

  it("writes an export whole or not at all", async () => {
    const { transfers } = files;
    const pieces = (async function* () {
      for (let i = 0; i < 40; i++) yield i % 2 ? Buffer.alloc(1_000_000, i) : `piece ${i}`;
    })();
    const { bytes } = await transfers.writeExport("coco-1.json", pieces);
    const file = await transfers.readExport("coco-1.json");
    expect(file?.bytes).toBe(bytes);
    if (file) expect((await buffer(await file.stream())).length).toBe(bytes);
    const broken = (async function* () {
      yield Buffer.alloc(20_000_000);
      throw new Error("the export failed");
    })();
    await expect(transfers.writeExport("coco-2.json", broken)).rejects.toThrow("the export failed");
    expect(await transfers.readExport("coco-2.json")).toBeUndefined();
    expect((await transfers.listExports()).map(({ name }) => name)).toEqual(["coco-1.json"]);
    await transfers.removeExport("coco-1.json");
    expect(await transfers.listExports()).toEqual([]);
    await transfers.writeExport("empty.json", Readable.from([]));
    const empty = await transfers.readExport("empty.json");
    expect(empty?.bytes).toBe(0);
    await empty?.close();
  });

  it("keeps uploads for a task, and reads them as a stream or a zip", async () => {
    const { transfers } = files;
    const json = await upload(Buffer.from('{"images": []}'));
    const { key, bytes } = await transfers.keepUpload(json);
    expect(existsSync(json)).toBe(false);
    expect(await transfers.uploadBytes(key)).toBe(bytes);
    expect(await text(transfers.readUpload(key))).toBe('{"images": []}');
    expect(await transfers.isZip(key)).toBe(false);
    const zip = await transfers.keepUpload(await upload(await zipOf({ "a.json": Buffer.from("{}") })));
    expect(await transfers.isZip(zip.key)).toBe(true);
    const texts: string[] = [];
    for await (const one of transfers.zipTexts(zip.key)) texts.push(`${one.path} ${await one.read(100)}`);
    expect(texts).toEqual(["a.json {}"]);
    expect(await transfers.listUploads()).toHaveLength(2);
    await transfers.removeUpload(key);
    expect(await transfers.uploadBytes(key)).toBe(0);
    expect(await transfers.isZip(key)).toBe(false);
    await expect(text(transfers.readUpload(key))).rejects.toThrow();
    await expect(transfers.zipTexts(key).next()).rejects.toThrow(ZipGone);
  });

  it("keeps zips of images until they are dropped", async () => {
    const { images } = files;
    const name = await images.keepZip(await upload(await zipOf({ "x/a.png": await picture(2) })));
    const names: string[] = [];
    for await (const member of images.zipMembers(name)) {
      if ("file" in member) expect((await readFile(member.file)).length).toBeGreaterThan(10);
      names.push(member.path);
    }
    expect(names).toEqual(["x/a.png"]);
    await images.dropOldZips(new Set());
    expect((await images.zipMembers(name).next()).done).toBe(false);
    await images.dropZip(name);
    await expect(images.zipMembers(name).next()).rejects.toThrow(ZipGone);
  });

  it("handles large files in parts", async () => {
    const bytes = Buffer.alloc(40_000_000);
    for (let at = 0; at < bytes.length; at += 4096) bytes.writeUInt32LE(at, at);
    const { key } = await files.transfers.keepUpload(await upload(bytes));
    expect((await buffer(files.transfers.readUpload(key))).equals(bytes)).toBe(true);
    await files.transfers.removeUpload(key);
  });
}

function zipOf(members: Record<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(members)) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
}

describe("files in a folder", () => behaves(async () => ({})));

describeOnS3("files in a bucket", (bucket) => behaves(async () => ({ ...(await bucket()) })));
