import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { ZipFile } from "yazl";
import { taskKinds } from "../../../server/tasks";
import { mergeRuns, polygonsToRle, type Runs } from "../../../shared/coco/mask";
import { areaOf } from "../../../shared/coco/runs";
import { shapeRuns } from "../../../shared/coco/shapeRuns";
import {
  type ExportedCoco,
  exportOf,
  importFile,
  readCoco,
  runQueuedTask,
  seedImages,
  uploadImport,
} from "../../support/coco";
import { describeOnDatabases } from "../../support/databases";
import { seedDataset } from "../../support/factories";
import { findSamples } from "../../support/samples";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import { unzip, zipOf } from "../../support/zips";

const [WIDTH, HEIGHT] = [120, 90];
const box = (x: number, y: number, w: number, h: number) => [x, y, x + w, y, x + w, y + h, x, y + h];
const IMAGES = ["a.jpg", "a.png", "sub/b.jpg", "sub/deep/c.jpg", "empty.jpg"];

/** Category, image and shape of the drawn annotations. */
const DRAWN = [
  ["cat", "a.jpg", { rings: [[[10.5, 10.25, 60, 12, 55.3, 70]]] }],
  ["cat", "a.jpg", { rings: [[box(5, 5, 40, 40), box(15, 15, 10, 10)]] }],
  ["dog", "a.jpg", { rings: [[box(50, 50, 30, 30)], [box(70, 60, 30, 20)], [box(5, 70, 10, 10)]] }],
  ["dog", "a.png", { rings: [[box(0, 0, 120, 90)]] }],
  ["cat", "sub/b.jpg", { rings: [[[0, 0, 119.9, 0.1, 60.7, 89.3]]] }],
  ["dog", "sub/deep/c.jpg", null],
] as const;

describeOnDatabases("formats other than COCO", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let source: number;
  let made = 0;
  const ids = { cat: 0, dog: 0 };

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    source = await dataset();
    await importFile(server, ann, source, {
      images: [],
      annotations: [],
      categories: [
        { id: 1, name: "cat", color: "#ff0000" },
        { id: 2, name: "dog", color: "#00ff00" },
      ],
    });
    for (const { id, name } of (await exportOf(ann, source)).categories) ids[name as "cat" | "dog"] = Number(id);
    for (const [category, path, shape] of DRAWN) await draw(source, category, path, shape);
  });
  afterAll(() => server.close());

  async function dataset(imageFiles = IMAGES): Promise<number> {
    const id = await seedDataset(server.db, { name: `formats ${++made}`, ownerId: ann.id });
    await seedImages(
      server,
      id,
      imageFiles.map((file_name) => ({ file_name, width: WIDTH, height: HEIGHT })),
    );
    return id;
  }

  async function draw(datasetId: number, category: "cat" | "dog", path: string, shape: unknown) {
    const image = await server.db
      .selectFrom("images")
      .select("id")
      .where("dataset_id", "=", datasetId)
      .where("path", "=", path)
      .executeTakeFirstOrThrow();
    const bbox = shape ? boundsOf(shape as { rings: number[][][] }) : [20, 30, 40, 50];
    await server.db
      .insertInto("annotations")
      .values({
        image_id: image.id,
        category_id: ids[category],
        shape: shape ? JSON.stringify(shape) : null,
        isbbox: shape === null,
        bbox: JSON.stringify(bbox),
        area: 1000,
        color: "#123456",
      })
      .execute();
  }

  async function startedTask(query: string, from = source): Promise<number> {
    const { status, body, text } = await ann.get(`dataset/${from}/export?${query}`);
    if (status !== 200) throw new Error(`${status} ${text}`);
    return body.id;
  }

  async function exported(query: string, from = source) {
    const { row, log } = await runQueuedTask(server, await startedTask(query, from));
    expect(row.state, log.join("\n")).toBe("done");
    const { export_id } = row.result as { export_id: number };
    const answer = await ann.fetch("GET", `export/${export_id}/download`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const { tags } = (await ann.get(`export/${export_id}`)).body;
    return { bytes, tags: tags as string[], log, answer };
  }

  async function filesOf(query: string, from = source) {
    const { bytes, ...rest } = await exported(query, from);
    return { bytes, files: await unzip(bytes), ...rest };
  }

  /** Returns the masks by category and image, as written in a COCO file. */
  async function masks(datasetId: number): Promise<string[]> {
    const rows = await server.db
      .selectFrom("annotations")
      .innerJoin("images", "images.id", "annotations.image_id")
      .innerJoin("categories", "categories.id", "annotations.category_id")
      .select(["shape", "bbox", "isbbox", "path", "name", "width", "height"])
      .where("images.dataset_id", "=", datasetId)
      .where("annotations.deleted_at", "is", null)
      .execute();
    const texts = rows.map(({ shape, bbox, isbbox, path, name, width, height }) =>
      JSON.stringify([path, name, shapeRuns(shape, bbox, isbbox, width, height)]),
    );
    return texts.sort();
  }

  async function boxes(datasetId: number): Promise<string[]> {
    const { images, categories, annotations } = await exportOf(ann, datasetId);
    const [paths, names] = [images, categories].map((list) => new Map(list.map((one) => [one.id, one])));
    const texts = annotations.map(({ image_id, category_id, bbox }) =>
      JSON.stringify([paths?.get(image_id)?.file_name, names?.get(category_id)?.name, bbox]),
    );
    return texts.sort();
  }

  it("YOLO outlines are read back pixel by pixel, including holes and pieces, with and without a split", async () => {
    for (const query of ["format=yolo-segmentation", "format=yolo-segmentation&split=60,20,20&seed=x"]) {
      const { bytes, files, tags } = await filesOf(query);
      expect(tags[0]).toBe("YOLO segmentation");
      expect(parse(String(files.get("data.yaml"))).names).toEqual({ 0: "cat", 1: "dog" });
      const target = await dataset();
      const { row, report } = await importFile(server, ann, target, new Blob([bytes]));
      expect(row).toMatchObject({ state: "done", name: expect.stringContaining("YOLO") });
      expect(report).toMatchObject({ created: 6, skipped: {}, images: { matched: 4 } });
      expect(await masks(target)).toEqual(await masks(source));
    }
  });

  it("YOLO and VOC boxes are read back", async () => {
    for (const format of ["yolo-detection", "voc"]) {
      const { bytes } = await exported(`format=${format}&with_empty_images=true`);
      const target = await dataset();
      const { report } = await importFile(server, ann, target, new Blob([bytes]));
      expect(report).toMatchObject({ created: 6, skipped: {}, images: { matched: 5 } });
      expect(report.categories.map(({ how }: { how: string }) => how)).toEqual(["found", "found"]);
      const [there, here] = [await boxes(source), await boxes(target)].map((list) =>
        list.map((text) => JSON.parse(text)),
      );
      for (const [i, [path, name, bbox]] of (here ?? []).entries()) {
        expect([path, name]).toEqual(there?.[i].slice(0, 2));
        const tolerance = format === "voc" ? 1 : 0.001;
        for (const [n, value] of bbox.entries())
          expect(Math.abs(value - there?.[i][2][n])).toBeLessThanOrEqual(tolerance);
      }
    }
  });

  it("arranges files as their readers expect them, with a unique name for each image", async () => {
    const names = async (query: string) => [...(await filesOf(query)).files.keys()];
    expect(await names("format=yolo-detection")).toEqual([
      "data.yaml",
      "labels/a.txt",
      "labels/a.png.txt",
      "labels/sub/b.txt",
      "labels/sub/deep/c.txt",
    ]);
    expect(await names("format=voc&folder=sub")).toEqual([
      "Annotations/sub/b.xml",
      "Annotations/sub/deep/c.xml",
      "ImageSets/Main/trainval.txt",
    ]);
    expect(await names("format=semantic-masks&folder=sub/deep/")).toEqual(["legend.json", "masks/sub/deep/c.png"]);
    expect(await names(`format=instance-masks&folder=nowhere`)).toEqual([]);
    const { files } = await filesOf(`format=yolo-detection&categories=${ids.dog}`);
    expect(String(files.get("data.yaml"))).toBe('train: "images"\nval: "images"\nnames:\n  0: "dog"\n');
    expect(String(files.get("labels/sub/deep/c.txt"))).toBe("0 0.33333333 0.61111111 0.33333333 0.55555556\n");
  });

  it("skips crowds in YOLO and reports that; VOC marks them as difficult", async () => {
    const datasetId = await dataset(["a.jpg"]);
    await importFile(server, ann, datasetId, {
      images: [{ id: 1, file_name: "a.jpg" }],
      categories: [{ id: 1, name: "cat" }],
      annotations: [
        { image_id: 1, category_id: 1, iscrowd: 1, segmentation: { size: [90, 120], counts: [0, 900, 9900] } },
        { image_id: 1, category_id: 1, bbox: [1, 1, 5, 5] },
      ],
    });
    const yolo = await filesOf("format=yolo-segmentation", datasetId);
    expect(String(yolo.files.get("labels/a.txt")).trim().split("\n")).toHaveLength(1);
    expect(yolo.log.filter((line) => line.startsWith("WARNING"))).toEqual([expect.stringContaining("is a crowd")]);
    const voc = await filesOf("format=voc", datasetId);
    expect(String(voc.files.get("Annotations/a.xml")).match(/<difficult>1/g)).toHaveLength(1);
  });

  it("pixels of masks by category have the number of their category, shown in the category's colour", async () => {
    const { files } = await filesOf("format=semantic-masks");
    expect(
      JSON.parse(String(files.get("legend.json"))).map(({ value, name }: { value: number; name: string }) => [
        value,
        name,
      ]),
    ).toEqual([
      [1, "cat"],
      [2, "dog"],
    ]);
    const png = files.get("masks/a.jpg.png") ?? files.get("masks/a.png");
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([WIDTH, HEIGHT]);
    const colorAt = (x: number, y: number) => [...data.subarray((y * WIDTH + x) * info.channels).subarray(0, 3)];
    expect(colorAt(7, 7)).toEqual([255, 0, 0]);
    expect(colorAt(8, 75)).toEqual([0, 255, 0]);
    expect(colorAt(115, 5)).toEqual([0, 0, 0]);
    // The header states 8 bits with a palette.
    expect([png?.[24], png?.[25]]).toEqual([8, 3]);
  });

  it("masks by object contain each object's own pixels", async () => {
    const { files } = await filesOf("format=instance-masks&folder=sub");
    const png = files.get("masks/sub/b.png");
    expect([png?.[24], png?.[25]]).toEqual([16, 0]);
    const objects = JSON.parse(String(files.get("masks/sub/b.json")));
    expect(objects).toMatchObject([{ value: 1, category: "cat", iscrowd: 0 }]);
    const { data } = await sharp(png)
      .toColourspace("grey16")
      .raw({ depth: "ushort" })
      .toBuffer({ resolveWithObject: true });
    const pixels = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
    const expected = areaOf(polygonsToRle([[0, 0, 119.9, 0.1, 60.7, 89.3]], WIDTH, HEIGHT));
    expect(pixels.filter((value) => value === 1).length).toBe(expected);
    expect(pixels.every((value) => value <= 1)).toBe(true);
  });

  it("COCO is written as polygons, as RLE, by folder, and split into files that together are complete", async () => {
    const whole = await exportOf(ann, source);
    const folder = await exportOf(ann, source, "?folder=sub");
    expect(folder.images.map(({ file_name }) => file_name)).toEqual(["sub/b.jpg", "sub/deep/c.jpg"]);
    expect((await exportOf(ann, source, "?folder=su")).images).toEqual([]);
    const { files, tags } = await filesOf("split=50,25,25&seed=7&segmentation=rle");
    expect(tags).toEqual(["COCO", "all as RLE", "split 50/25/25, seed 7", "cat", "dog"]);
    expect([...files.keys()]).toEqual(["train", "val", "test"].map((name) => `annotations/${name}.json`));
    const parts = [...files.values()].map((file) => JSON.parse(String(file)) as ExportedCoco);
    expect(parts.map(({ images }) => images.length)).toEqual([2, 1, 1]);
    const imagesOf = (list: ExportedCoco[]) => list.flatMap(({ images }) => images.map(({ id }) => Number(id))).sort();
    expect(imagesOf(parts)).toEqual(imagesOf([whole]));
    expect(parts.flatMap(({ annotations }) => annotations)).toHaveLength(6);
    const again = await filesOf("split=50,25,25&seed=7&segmentation=rle&with_empty_images=0&categories=");
    expect(again.files).toHaveLength(3);
    for (const [path, file] of again.files)
      expect((JSON.parse(String(file)) as ExportedCoco).images).toEqual(JSON.parse(String(files.get(path))).images);
  });

  it("equal requests are one task, different ones are two; impossible ones are refused", async () => {
    const [one, same, other] = [
      await startedTask("format=voc&split=8,1,1"),
      await startedTask("format=voc&split=80,10,10&segmentation=rle&seed=0"),
      await startedTask("format=voc&split=80,10,10&seed=1"),
    ];
    expect([same === one, other === one]).toEqual([true, false]);
    const bad = [
      "format=x",
      "split=1,2",
      "split=0,0,0",
      "split=-1,2,3",
      "split=a,b,c",
      "segmentation=x",
      "with_images=x",
    ];
    for (const query of bad) expect((await ann.get(`dataset/${source}/export?${query}`)).status, query).toBe(400);
  });

  it("an interrupted task writes the same file when it runs again", async () => {
    const id = await startedTask("format=yolo-detection&split=70,20,10&seed=again");
    const { payload } = await server.db.selectFrom("tasks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const controller = new AbortController();
    controller.abort(new Error("cut off"));
    const log = {
      progress: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
      keepResult: () => undefined,
    };
    const helpers = { ...server.services, taskId: id, attempt: 1, signal: controller.signal, ...log };
    await expect(taskKinds.export(payload, helpers)).rejects.toThrow("cut off");
    await runQueuedTask(server, id);
    const [newest] = (await ann.get(`dataset/${source}/exports`)).body;
    const again = await exported("format=yolo-detection&split=70,20,10&seed=again");
    expect(newest.bytes).toBe(again.bytes.length);
    expect(newest.file_name).toMatch(/^formats \d+-\d+\.zip$/);
    expect(again.answer.headers.get("content-type")).toContain("zip");
  });

  it("includes the images, and reports missing ones", async () => {
    const datasetId = (await ann.post("dataset/", { name: `with images ${++made}` })).body.id;
    const imageFile = await sharp({ create: { width: 40, height: 20, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const body = new FormData();
    body.append("files", new Blob([new Uint8Array(imageFile)]), "p.png");
    body.append("paths", "sub/p.png");
    expect((await ann.request("POST", `dataset/${datasetId}/upload`, { body })).body.files[0].status).toBe("added");
    await seedImages(server, datasetId, [{ file_name: "gone.jpg", width: 40, height: 20 }]);
    for (const [format, path] of [
      ["coco", "images/sub/p.png"],
      ["yolo-detection", "images/train/sub/p.png"],
      ["voc", "JPEGImages/sub/p.png"],
    ]) {
      const split = format === "yolo-detection" ? "&split=1,0,0" : "";
      const { files, log } = await filesOf(`format=${format}&with_images=1&with_empty_images=1${split}`, datasetId);
      expect(files.get(path ?? "")?.equals(imageFile)).toBe(true);
      expect(log.filter((line) => line.includes("gone.jpg"))).toHaveLength(1);
    }
  });

  it("imports Roboflow's and CVAT's folders, with or without images, and undoes all of it", async () => {
    const labels = "0 0.5 0.5 0.5 0.5\n1 0 0 1 0 1 1\n";
    const layouts = [
      {
        "data.yaml": "names: [cat, dog]\n",
        "train/labels/a.txt": labels,
        "train/images/a.jpg": "x",
        "README.txt": "hello",
      },
      {
        "obj.names": "cat\ndog\n",
        "obj.data": "classes = 2",
        "train.txt": "data/a.jpg",
        "obj_train_data/a.txt": labels,
      },
      { "top/classes.txt": "cat\r\ndog", "top/labels/train/a.txt": `\ufeff${labels}` },
    ];
    for (const layout of layouts) {
      const target = await dataset(["a.jpg"]);
      const { report, importId } = await importFile(
        server,
        ann,
        target,
        await zipOf(layout as unknown as Record<string, string>),
      );
      expect(report, JSON.stringify(layout)).toMatchObject({ created: 2, skipped: {}, images: { matched: 1 } });
      expect(await boxes(target)).toHaveLength(2);
      await runQueuedTask(server, (await ann.delete(`dataset/${target}/import/${importId}`)).body.id);
      expect(await boxes(target)).toEqual([]);
    }
  });

  it("YOLO poses are read back, of categories with more, with fewer and with no keypoints", async () => {
    const [person, dog, box] = ["person", "dog", "box"].map((name) => `${name} of ${++made}`);
    const drawn = {
      categories: [
        { id: 1, name: person, keypoints: ["nose", "eye", "knee"], skeleton: [[1, 2]] },
        { id: 2, name: dog, keypoints: ["tail"], skeleton: [] },
        { id: 3, name: box },
      ],
      images: [{ id: 1, file_name: "a.jpg" }],
      annotations: [
        { image_id: 1, category_id: 1, bbox: [12, 9, 60, 45], keypoints: [24, 18, 2, 30, 27, 1, 36, 9, 0] },
        { image_id: 1, category_id: 1, bbox: [0, 0, 120, 90], keypoints: [120, 90, 2, 0, 0, 0, 0, 0, 0] },
        { image_id: 1, category_id: 2, bbox: [6, 9, 12, 9], keypoints: [6, 9, 3] },
        { image_id: 1, category_id: 2, bbox: [6, 9, 12, 9], keypoints: [150, 9, 2] },
        { image_id: 1, category_id: 3, bbox: [60, 45, 12, 9] },
      ],
    };
    const from = await dataset(["a.jpg"]);
    await importFile(server, ann, from, drawn);
    const { bytes, files, tags, log } = await filesOf("format=yolo-pose", from);
    expect(tags[0]).toBe("YOLO pose");
    expect(parse(String(files.get("data.yaml")))).toEqual({
      train: "images",
      val: "images",
      names: { 0: person, 1: dog, 2: box },
      kpt_shape: [3, 3],
      kpt_names: { 0: ["nose", "eye", "knee"], 1: ["tail"], 2: [] },
    });
    const lines = String(files.get("labels/a.txt")).trim().split("\n");
    expect(lines).toEqual([
      "0 0.35 0.35 0.5 0.5 0.2 0.2 2 0.25 0.3 1 0.3 0.1 0",
      "0 0.5 0.5 1 1 1 1 2 0 0 0 0 0 0",
      "1 0.1 0.15 0.1 0.1 0.05 0.1 2 0 0 0 0 0 0",
      "1 0.1 0.15 0.1 0.1 0 0 0 0 0 0 0 0 0",
      "2 0.55 0.55 0.1 0.1 0 0 0 0 0 0 0 0 0",
    ]);
    expect(log.filter((line) => line.startsWith("WARNING"))).toEqual([expect.stringContaining("keypoints outside")]);

    const target = await dataset(["a.jpg"]);
    const { report } = await importFile(server, ann, target, new Blob([bytes]));
    expect(report).toMatchObject({ created: 5, skipped: {}, notes: {}, category_notes: {} });
    expect(report.categories.map(({ how }: { how: string }) => how)).toEqual(["found", "found", "found"]);
    const { annotations } = await exportOf(ann, target);
    // Unknown visibility is imported as visible, and points outside are unset.
    const expected = drawn.annotations.map(({ bbox, keypoints }) => ({ bbox, keypoints }));
    expected[2] = { bbox: [6, 9, 12, 9], keypoints: [6, 9, 2] };
    expected[3] = { bbox: [6, 9, 12, 9], keypoints: [0, 0, 0] };
    expect(annotations.map(({ bbox, keypoints }) => ({ bbox, keypoints }))).toEqual(expected);

    const { row, log: failed } = await runQueuedTask(server, await startedTask("format=yolo-pose"));
    expect([row.state, failed.at(-1)]).toEqual(["failed", expect.stringContaining("keypoint labels")]);
  });

  it("imports poses by the shape given in data.yaml", async () => {
    const target = await dataset(["a.jpg"]);
    const { report } = await importFile(
      server,
      ann,
      target,
      await zipOf({
        "data.yaml": `kpt_shape: [2, 3]\nnames: {0: pose ${made}}\nkpt_names: {0: [nose, tail]}\n`,
        "labels/a.txt": "0 0.5 0.5 0.5 0.5 0.25 0.5 2 0 0 0\n",
      }),
    );
    expect(report).toMatchObject({ created: 1 });
    const { categories, annotations } = await exportOf(ann, target);
    expect(categories[0]).toMatchObject({ keypoints: ["nose", "tail"] });
    expect(annotations[0]).toMatchObject({ bbox: [30, 22.5, 60, 45], keypoints: [30, 45, 2, 0, 0, 0] });
  });

  it("VOC sizes are compared, names without extension are found, and flags are kept", async () => {
    const xml = (name: string, width: number, more = "") =>
      `<annotation><filename>${name}</filename><size><width>${width}</width><height>90</height></size><object><name>cat</name>${more}<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>10</xmax><ymax>10</ymax></bndbox></object></annotation>`;
    const target = await dataset(["a.jpg", "sub/b.jpg", "sub/d.jpg", "e.jpg"]);
    const { report } = await importFile(
      server,
      ann,
      target,
      await zipOf({
        "VOC/Annotations/1.xml": xml("a.jpg", 120, "<difficult>1</difficult><truncated>0</truncated>"),
        "VOC/Annotations/sub/2.xml": xml("b", 0),
        "VOC/Annotations/3.xml": xml("C:\\images\\d.jpg", 120),
        "VOC/Annotations/e.xml": xml("e.jpg", 640),
        "VOC/Annotations/long.xml": " ".repeat(5_000_000),
        "VOC/Annotations/bomb.xml": '<!DOCTYPE a [<!ENTITY a "b">]><annotation/>',
      }),
    );
    expect(report).toMatchObject({ created: 3, skipped: { "its image: size differs": 1 }, images: { matched: 3 } });
    expect(report.images).toMatchObject({
      "it is longer than 4 MB": 1,
      "has a DTD, which is not supported": 1,
    });
    const { annotations } = await exportOf(ann, target);
    expect(annotations.filter(({ difficult }) => difficult === 1)).toHaveLength(1);
    expect(annotations.filter((annotation) => "truncated" in annotation)).toHaveLength(0);
  });

  it("reports and skips invalid files in a zip, and imports the rest", async () => {
    const target = await dataset(["a.jpg", "x/dup.jpg", "y/dup.jpg"]);
    const { row, report } = await importFile(
      server,
      ann,
      target,
      await zipOf({
        "data.yaml": "names: {0: cat, 1: dog, 7: '<script>'}\n",
        "labels/a.txt": "0 0.5 0.5 0.5 0.5\n9 0.5 0.5 0.5 0.5\n0 nan 0 0 0\n0 5 5 5 5\n0 0.5\n",
        "labels/none.txt": "0 0.5 0.5 0.5 0.5\n",
        "labels/dup.txt": "0 0.5 0.5 0.5 0.5\n",
        "labels/latin.txt": new Uint8Array([0x30, 0x20, 0xe4, 0xff, 0x0a]),
        "labels/many.txt": "0 0.1 0.1 0.1 0.1\n".repeat(3000),
      }),
    );
    expect(row.state).toBe("done");
    expect(report.created).toBe(1);
    expect(report.skipped).toMatchObject({
      "its category is not in the file, or cannot be used": 1,
      "has a value that is not a number": 1,
      "has coordinates outside the image: they are fractions of its width and height, from 0 to 1": 1,
      "has a number of values that is neither a box's nor an outline's": 1,
      "its image: not in the dataset": 3001,
      "its image: ambiguous file name": 1,
      "is not valid UTF-8 text": 1,
    });
    expect(report.examples["has a value that is not a number"]).toEqual(["labels/a.txt line 3"]);
  });

  it("a zip that escapes its folder, is a bomb, or is damaged does no harm", async () => {
    const target = await dataset(["a.jpg"]);
    const hostile = new ZipFile();
    const mtime = new Date();
    const add = (path: string, text: string | Buffer) => hostile.addBuffer(Buffer.from(text), path, { mtime });
    add("classes.txt", "cat\n");
    add("labels/aa/aa/aa/aa/a.txt", "0 0.5 0.5 0.5 0.5\n");
    add("labels/bomb.txt", Buffer.alloc(30_000_000, " "));
    hostile.end();
    const bytes = await buffer(hostile.outputStream);
    const text = bytes.toString("latin1").replaceAll("labels/aa/aa/aa/aa/a.txt", "../../../labels/aaaa.txt");
    const { row, report } = await importFile(
      server,
      ann,
      target,
      new Blob([new Uint8Array(Buffer.from(text, "latin1"))]),
    );
    expect([row.state, report.created]).toEqual(["done", 0]);
    expect(report.skipped).toEqual({
      "its name points outside the zip": 1,
      "its compression ratio is too high": 1,
    });
    const cut = new Blob([new Uint8Array(bytes.subarray(0, bytes.length - 40))]);
    expect((await uploadImport(ann, target, cut, { name: "x.zip" })).body.message).toContain("The zip cannot be read");
  });

  it("reports what is missing from a file of an unknown format", async () => {
    const target = await dataset(["a.jpg"]);
    const refused = async (file: Blob | string) => {
      const { status, body } = await uploadImport(ann, target, file, { name: "x.zip" });
      expect(status).toBe(400);
      expect(body.errors.coco).toBe(body.message);
      return body.message as string;
    };
    expect(await refused(await zipOf({ "a.jpg": "x" }))).toContain("no annotations");
    expect(await refused(await zipOf({ "labels/a.txt": "0 0 0 1 1" }))).toContain("data.yaml");
    expect(await refused(await zipOf({ "a.json": "{}", "b.json": "{}" }))).toContain("several JSON");
    expect(await refused(await zipOf({}))).toContain("no annotations");
    expect(await refused("0 0.5 0.5 0.5 0.5")).toContain("neither a COCO file");
    expect(await refused("")).toContain("empty");
    const named = await uploadImport(ann, target, await zipOf({ "data.yaml": "&a [*a, *a]", "a.txt": "0 0 0 1 1" }));
    const { row, log } = await runQueuedTask(server, named.body.id);
    expect([row.state, log.at(-1)]).toEqual(["failed", expect.stringContaining("names the classes")]);
  });

  it("imports a COCO file from a zip, also under the older path", async () => {
    const target = await dataset();
    const { bytes } = await exported("with_images=1");
    const body = new FormData();
    body.append("coco", new Blob([bytes]), "x.zip");
    const started = await ann.request("POST", `dataset/${target}/export`, { body });
    const { row } = await runQueuedTask(server, started.body.id);
    expect(row.result).toMatchObject({ created: 6, skipped: {} });
    expect(await masks(target)).toEqual(await masks(source));
  });

  it("real annotations are read back as the same masks and boxes", async () => {
    const samples = findSamples();
    if (!samples) return;
    const file = await readCoco(samples.instances);
    const from = await seedDataset(server.db, { ownerId: ann.id });
    await seedImages(server, from, file.images as never);
    await importFile(server, ann, from, await readFile(samples.instances, "utf8"));
    const kept = file.annotations.filter(({ iscrowd }) => iscrowd === 0).length;

    const outlines = await seedDataset(server.db, { ownerId: ann.id });
    await seedImages(server, outlines, file.images as never);
    const yolo = await exported("format=yolo-segmentation", from);
    const { report } = await importFile(server, ann, outlines, new Blob([yolo.bytes]));
    expect(report).toMatchObject({ created: kept, skipped: {} });
    const [before, after] = [await exportOf(ann, from), await exportOf(ann, outlines)];
    const masksOf = (coco: ExportedCoco) =>
      coco.annotations.filter(({ iscrowd }) => iscrowd === 0).map((one) => maskOf(one, coco));
    const [theirs, ours] = [masksOf(before), masksOf(after)];
    let worst = 1;
    for (const mask of theirs) {
      const twins = ours.filter(
        ({ image: imageFile, category }) => imageFile === mask.image && category === mask.category,
      );
      worst = Math.min(worst, Math.max(...twins.map(({ runs }) => overlap(mask.runs, runs))));
    }
    expect(worst).toBeGreaterThan(0.99);
  });
});

interface Mask {
  image: unknown;
  category: unknown;
  runs: Runs;
}

function maskOf(annotation: Record<string, unknown>, { images, categories }: ExportedCoco): Mask {
  const image = images.find(({ id }) => id === annotation.image_id);
  const [width, height] = [Number(image?.width), Number(image?.height)];
  return {
    image: image?.file_name,
    category: categories.find(({ id }) => id === annotation.category_id)?.name,
    runs: polygonsToRle(annotation.segmentation as number[][], width, height),
  };
}

const overlap = (a: Runs, b: Runs): number =>
  areaOf(mergeRuns([a, b], "intersection")) / areaOf(mergeRuns([a, b], "union"));

/** Returns the box around rings. */
function boundsOf({ rings }: { rings: number[][][] }): number[] {
  const flat = rings.flat(2);
  const [xs, ys] = [0, 1].map((axis) => flat.filter((_, i) => i % 2 === axis)) as [number[], number[]];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}
