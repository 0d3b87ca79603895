import { existsSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { recountImages } from "../../../../server/features/annotations/rows/recountImages";
import { taskKinds } from "../../../../server/tasks";
import { describeOnDatabases } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedImage } from "../../../support/factories";
import { badImages, goodImages, upright } from "../../../support/images";
import { runTask } from "../../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnDatabases("a dataset's images over HTTP", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let datasetId: number;
  let names = 0;
  const inFolder = (path: string) => join(server.env.DATASETS_DIR, `set ${names}`, path);

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    datasetId = (await ann.post("dataset/", { name: `set ${++names}` })).body.id;
  });

  async function pathsOf(query = ""): Promise<string[]> {
    const { status, body, text } = await ann.get(`dataset/${datasetId}/data?${query}`);
    if (status !== 200) throw new Error(text);
    return body.images.map((image: { path: string }) => image.path);
  }
  function send(files: [string, Buffer][], { folder, paths }: { folder?: string; paths?: string[] } = {}, by = ann) {
    const body = new FormData();
    if (folder !== undefined) body.set("folder", folder);
    for (const path of paths ?? []) body.append("paths", path);
    for (const [name, bytes] of files) body.append("files", new Blob([new Uint8Array(bytes)]), name);
    return by.request("POST", `dataset/${datasetId}/upload`, { body });
  }
  async function zipOf(files: Record<string, Buffer>): Promise<Buffer> {
    const zip = new ZipFile();
    for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name);
    zip.end();
    return buffer(zip.outputStream);
  }
  async function unpack(zip: Buffer, folder = "") {
    const { body } = await send([["images.zip", zip]], { folder });
    return runTask(server.db, taskKinds, server.services, body.files[0].id);
  }

  it("returns a page in the format of older scripts", async () => {
    for (const path of ["b.jpg", "a.jpg", "x/c.jpg"]) await seedImage(server.db, datasetId, path);
    const { body } = await ann.get(`dataset/${datasetId}/data?limit=2&page=1`);
    expect(body).toMatchObject({
      total: 3,
      per_page: 2,
      pages: 2,
      page: 0,
      folder: "",
      directory: `/datasets/set ${names}/`,
      subdirectories: ["x"],
      categories: [],
      dataset: { id: datasetId, numberImages: 3, permissions: { owner: true } },
    });
    expect(body.images.map((image: { file_name: string }) => image.file_name)).toEqual(["a.jpg", "b.jpg"]);
    expect(body.images[0]).toMatchObject({ annotating: [], annotated: false, num_annotations: 0 });
    expect(await pathsOf("limit=2&page=2")).toEqual(["x/c.jpg"]);
    expect(await pathsOf("limit=2&page=99")).toEqual([]);
  });

  it("orders by file name, path or id, both ways, with the id for equal names", async () => {
    const ids: Record<string, number> = {};
    for (const path of ["b/1.jpg", "a/1.jpg", "B/2.jpg", "a.jpg"])
      ids[path] = await seedImage(server.db, datasetId, path);
    expect(await pathsOf("order=file_name")).toEqual(["b/1.jpg", "a/1.jpg", "B/2.jpg", "a.jpg"]);
    expect(await pathsOf("order=-file_name")).toEqual(["a.jpg", "B/2.jpg", "a/1.jpg", "b/1.jpg"]);
    expect(await pathsOf("order=path")).toEqual(["a.jpg", "a/1.jpg", "b/1.jpg", "B/2.jpg"]);
    expect(await pathsOf("order=-id")).toEqual(["a.jpg", "B/2.jpg", "a/1.jpg", "b/1.jpg"]);
    for (let page = 1; page <= 4; page++)
      expect(await pathsOf(`order=path&limit=1&page=${page}`)).toEqual([
        ["a.jpg", "a/1.jpg", "b/1.jpg", "B/2.jpg"][page - 1],
      ]);
    for (const bad of ["size", "--id", "id;drop table images", "file_name desc"])
      expect((await ann.get(`dataset/${datasetId}/data?order=${encodeURIComponent(bad)}`)).status).toBe(400);
  });

  it("shows a folder with its subfolders, and not folders with a similar name", async () => {
    for (const path of [
      "a/1.jpg",
      "a/b/2.jpg",
      "a/b/c/3.jpg",
      "ab/4.jpg",
      "a%/5.jpg",
      "a_/6.jpg",
      "a-b/7.jpg",
      "8.jpg",
    ])
      await seedImage(server.db, datasetId, path);
    expect(await pathsOf("folder=a")).toEqual(["a/1.jpg", "a/b/2.jpg", "a/b/c/3.jpg"]);
    expect(await pathsOf("folder=/a/b/")).toEqual(["a/b/2.jpg", "a/b/c/3.jpg"]);
    expect(await pathsOf("folder=a%25")).toEqual(["a%/5.jpg"]);
    for (const nothing of ["..", "../a", "A", "nope", "a\\", "'"])
      expect(await pathsOf(`folder=${encodeURIComponent(nothing)}`)).toEqual([]);
    const { body } = await ann.get(`dataset/${datasetId}/data?folder=a//`);
    expect(body).toMatchObject({
      folder: "a/",
      directory: `/datasets/set ${names}/a/`,
      subdirectories: ["b"],
      total: 3,
    });
    const top = await ann.get(`dataset/${datasetId}/data`);
    expect(top.body.subdirectories.sort()).toEqual(["a", "a%", "a-b", "a_", "ab"]);
    expect((await ann.get(`dataset/${datasetId}/data?folder=8.jpg`)).body.subdirectories).toEqual([]);
  });

  it("finds names ignoring case, and treats wildcards as literal characters", async () => {
    for (const path of ["100%.jpg", "100x.jpg", "a_b.jpg", "axb.jpg", "back\\slash.jpg", "ÄPFEL.jpg", "O'Hara.jpg"])
      await seedImage(server.db, datasetId, path);
    const found = (text: string) => pathsOf(`file_name__icontains=${encodeURIComponent(text)}`);
    expect(await found("0%")).toEqual(["100%.jpg"]);
    expect(await found("A_B")).toEqual(["a_b.jpg"]);
    expect(await found("k\\s")).toEqual(["back\\slash.jpg"]);
    expect(await found("\\")).toEqual(["back\\slash.jpg"]);
    expect(await found("äpf")).toEqual(["ÄPFEL.jpg"]);
    expect(await found("o'h")).toEqual(["O'Hara.jpg"]);
    expect(await found("")).toHaveLength(7);
    expect((await ann.get(`dataset/${datasetId}/data?file_name__icontains=%00`)).status).toBe(400);
  });

  it("filters by annotated and by categories of annotations and labels", async () => {
    const cat = await seedCategory(server.db, ann.id);
    const dog = await seedCategory(server.db, ann.id);
    const [withCat, labelled, withDog, deleted, hidden] = await Promise.all(
      ["1.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg"].map((path) => seedImage(server.db, datasetId, path)),
    );
    const { db } = server;
    await seedAnnotation(db, withCat ?? 0, cat);
    await seedAnnotation(db, withCat ?? 0, cat);
    await seedAnnotation(db, withDog ?? 0, dog);
    await db
      .updateTable("images")
      .set({ labels: [cat] })
      .where("id", "=", labelled ?? 0)
      .execute();
    await db
      .updateTable("images")
      .set({ annotated: true })
      .where("id", "in", [withCat ?? 0, withDog ?? 0])
      .execute();
    const gone = await seedAnnotation(db, deleted ?? 0, cat);
    await db.updateTable("annotations").set({ deleted_at: new Date() }).where("id", "=", gone).execute();
    const unseen = await seedAnnotation(db, hidden ?? 0, cat);
    await db.updateTable("annotations").set({ visible: false }).where("id", "=", unseen).execute();
    await recountImages(db, [deleted ?? 0, hidden ?? 0]);
    expect(await pathsOf("annotated=true")).toEqual(["1.jpg", "3.jpg"]);
    expect(await pathsOf("annotated=false")).toEqual(["2.jpg", "4.jpg", "5.jpg"]);
    expect(await pathsOf("annotated=")).toHaveLength(5);
    const strictly = "strict_categories=true&category_ids__in=";
    expect(await pathsOf(`${strictly}${cat}`)).toEqual(["1.jpg", "2.jpg"]);
    expect(await pathsOf(`${strictly}${cat},${dog}`)).toEqual(["1.jpg", "2.jpg", "3.jpg"]);
    // As in older servers, whose page filters only the annotated images.
    expect(await pathsOf(`category_ids__in=${cat}`)).toEqual(["1.jpg", "2.jpg", "4.jpg", "5.jpg"]);
    expect(await pathsOf(`category_ids__in=${cat},${dog}&annotated=true`)).toEqual(["1.jpg", "3.jpg"]);
    expect(await pathsOf("category_ids__in=")).toHaveLength(5);
    expect(await pathsOf(`${strictly}2147483648`)).toEqual([]);
    for (const bad of [
      "category_ids__in=x",
      "category_ids__in=1;2",
      "annotated=perhaps",
      "page=0",
      "limit=0",
      "limit=1001",
    ])
      expect([bad, (await ann.get(`dataset/${datasetId}/data?${bad}`)).status]).toEqual([bad, 400]);
  });

  it("shows added and removed images at once", async () => {
    const upload = async (name: string, scale: number) =>
      (await send([[name, await upright(scale).png().toBuffer()]])).body.files[0].id;
    await upload("a.png", 1);
    const id = await upload("b.png", 2);
    const total = async () => (await ann.get(`dataset/${datasetId}/data?limit=1`)).body;
    expect(await total()).toMatchObject({ total: 2, dataset: { numberImages: 2 } });
    await ann.delete(`image/${id}`);
    expect(await total()).toMatchObject({ total: 1, dataset: { numberImages: 1 } });
    await upload("c.png", 3);
    expect(await total()).toMatchObject({ total: 2, dataset: { numberImages: 2 } });
  });

  it("accepts many files with their paths, and reports the outcome of each", async () => {
    const a = await upright().png().toBuffer();
    const files: [string, Buffer][] = [
      ["a.png", a],
      ["b.png", Buffer.from("no image")],
      ["c.png", await upright(2).png().toBuffer()],
      ["d.png", a],
    ];
    const paths = ["in/deep/a.png", "b.png", "../c.png", "in/deep/a.png"];
    const { status, body } = await send(files, { folder: "top", paths });
    expect(status).toBe(200);
    expect(body.files.map((file: { path: string; status: string }) => [file.path, file.status])).toEqual([
      ["top/in/deep/a.png", "added"],
      ["top/b.png", "refused"],
      ["top/../c.png", "refused"],
      ["top/in/deep/a.png", "known"],
    ]);
    expect(body.files[1].message).toBe("The file cannot be read as an image: its type is not supported.");
    expect(await pathsOf()).toEqual(["top/in/deep/a.png"]);
    const again = await send(files.slice(0, 1), { folder: "top", paths: paths.slice(0, 1) });
    expect(again.body.files[0]).toMatchObject({ status: "known", id: body.files[0].id });
    expect((await send(files, { paths: ["one.png"] })).status).toBe(400);
    expect(readdirSync(join(server.env.DATA_DIR, "tmp"))).toEqual([]);
  });

  it("accepts a file whose row was lost in a crash, and a row whose file was lost", async () => {
    const bytes = await upright().png().toBuffer();
    const first = (await send([["a.png", bytes]])).body.files[0];
    await server.db.deleteFrom("images").where("id", "=", first.id).execute();
    expect((await send([["a.png", bytes]])).body.files[0].status).toBe("added");
    unlinkSync(inFolder("a.png"));
    expect((await send([["a.png", bytes]])).body.files[0].status).toBe("known");
    expect(readFileSync(inFolder("a.png"))).toEqual(bytes);
    unlinkSync(inFolder("a.png"));
    expect((await send([["moved.png", bytes]])).body.files[0].status).toBe("restored");
    expect(await pathsOf()).toEqual(["moved.png"]);
  });

  it("unpacks a zip as a task, with its folders, and reports each invalid file", async () => {
    const good = await goodImages();
    const bad = await badImages();
    const all = Object.fromEntries(Object.entries(bad).map(([name, bytes]) => [`bad/${name}`, bytes]));
    const zip = await zipOf({
      ...good,
      ...all,
      "x/y/z.png": await upright(3).png().toBuffer(),
      "notes.txt": Buffer.from("n"),
      "labels/nothing.txt": Buffer.alloc(0),
      "__MACOSX/a.png": Buffer.from("x"),
    });
    const { row, log } = await unpack(zip, "from zip");
    expect(row).toMatchObject({ state: "done", warnings: Object.keys(bad).length });
    expect(row.result).toMatchObject({ added: Object.keys(good).length + 1 });
    expect(await pathsOf("limit=1000&order=path")).toEqual(
      [...Object.keys(good), "x/y/z.png"].map((name) => `from zip/${name}`).sort(),
    );
    expect(log.join("\n")).toContain("WARNING Could not read bad/cut.png: it is cut off");
    expect(log.join("\n")).toContain("that are not images: ");
    expect(readdirSync(join(server.env.DATA_DIR, "zips"))).toEqual([]);
    expect(readdirSync(join(server.env.DATA_DIR, "tmp"))).toEqual([]);
    expect((await unpack(zip, "from zip")).row.result).toMatchObject({ added: 0, known: Object.keys(good).length + 1 });
  });

  it("prevents a zip from writing outside the dataset, and from unpacking without end", async () => {
    const evil = await upright(4).png().toBuffer();
    const plain = await zipOf({ "aa/aa/evil.png": evil, "good.png": await upright().png().toBuffer() });
    const slip = Buffer.from(plain.toString("latin1").replaceAll("aa/aa/evil.png", "../../evil.png"), "latin1");
    const slipped = await unpack(slip);
    expect(existsSync(join(server.env.DATASETS_DIR, "..", "evil.png"))).toBe(false);
    expect(existsSync(join(server.env.DATASETS_DIR, "evil.png"))).toBe(false);
    expect(slipped.row).toMatchObject({ state: "done", warnings: 1, result: { added: 1 } });
    expect(slipped.log.join("\n")).toContain("Could not read ../../evil.png: its name points outside the zip");
    const bomb = await unpack(await zipOf({ "bomb.png": Buffer.alloc(60_000_000) }));
    expect(bomb.log.join("\n")).toContain("WARNING Could not read bomb.png: its compression ratio is too high");
    const broken = await unpack(plain.subarray(0, plain.length - 30));
    expect([broken.row.state, broken.log.at(-1)]).toEqual([
      "failed",
      "ERROR Could not read images.zip: it is not a zip file, or it is damaged.",
    ]);
    expect(readdirSync(join(server.env.DATA_DIR, "tmp"))).toEqual([]);
  });

  it("the dataset's images are for members only", async () => {
    const eve = await server.user(`eve${names}`);
    const imageFile: [string, Buffer][] = [["a.png", await upright().png().toBuffer()]];
    expect((await eve.get(`dataset/${datasetId}/data`)).status).toBe(404);
    expect((await send(imageFile, {}, eve)).status).toBe(404);
    await ann.post(`dataset/${datasetId}/share`, { users: [`eve${names}`] });
    expect((await eve.get(`dataset/${datasetId}/data`)).body.dataset.permissions).toMatchObject({
      owner: false,
      edit: true,
    });
    expect((await send(imageFile, {}, eve)).status).toBe(200);
    await ann.delete(`dataset/${datasetId}`);
    expect((await eve.get(`dataset/${datasetId}/data`)).status).toBe(404);
    expect((await send(imageFile, {}, ann)).status).toBe(404);
  });
});
