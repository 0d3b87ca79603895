import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Decimal128, type Document, Double, Long } from "bson";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { openDump } from "../../../../server/features/migration/dump/openDump";
import { migrateDump } from "../../../../server/features/migration/migrateDump";
import { MigrationReport } from "../../../../server/features/migration/store/report";
import { writeIds } from "../../../../server/features/migration/store/writeIds";
import { readAllTables } from "../../../support/allTables";
import { describeOnBothDatabases, openEither } from "../../../support/databases";
import { temporaryFolder } from "../../../support/folders";
import { jpegWithOrientation } from "../../../support/images";
import {
  type Documents,
  drawn,
  oldAnnotation,
  oldCategory,
  oldDataset,
  oldImage,
  oldUser,
  square,
  writeDump,
  writeImages,
} from "../../../support/originalDump";
import { startServer, type TestServer } from "../../../support/server";

const AT = new Date("2020-05-06T07:08:09Z");
const cats = oldDataset(3, "cats", {
  owner: "ann",
  users: ["bob", "gone", "ann"],
  categories: [4, 5, 99],
  annotate_url: "http://127.0.0.1:5000/annotate",
  default_annotation_metadata: { mood: "" },
});
const trashed = oldDataset(4, "old cats", { owner: "gone", deleted: true, deleted_date: AT });
const event = (user: string, milliseconds: unknown) => ({
  _cls: "Event.SessionEvent",
  user,
  milliseconds,
  tools_used: ["Polygon"],
  created_at: AT,
});

/** Their ids are always the same, so that another dump is recognized. */
const users = [
  oldUser("ann", { name: "Ann", is_admin: true, last_seen: AT, preferences: { brush: { radius: 7 } } }),
  oldUser("bob"),
  oldUser("BOB", { password: "unknown$x$y" }),
  oldUser("Jörg Müller"),
];

/** A small installation with at least one of everything. */
function documents(): Documents {
  return {
    user_model: users,
    category_model: [
      oldCategory(4, "cat", {
        creator: "ann",
        keypoint_labels: ["nose", "tail"],
        keypoint_edges: [[1, 2]],
        keypoint_colors: ["#ff0000", "#00ff00"],
        metadata: { size: "small" },
      }),
      oldCategory(5, "cat", { creator: "bob", supercategory: "pet" }),
      oldCategory(6, "Cat", { creator: "ann", deleted: true, deleted_date: AT }),
    ],
    dataset_model: [cats, trashed],
    image_model: [
      oldImage(10, cats, "a/one.png", {
        category_ids: [4, 5, 98],
        metadata: { weather: "sun" },
        milliseconds: 5000,
        events: [event("bob", 5000)],
        license: 1,
      }),
      oldImage(11, cats, "two.png", { deleted: true, deleted_date: AT }),
      oldImage(12, cats, "missing.png"),
      oldImage(13, oldDataset(77, "nowhere"), "x.png"),
      oldImage(14, cats, "turned.jpg", { width: 20, height: 40 }),
    ],
    annotation_model: [
      oldAnnotation(100, 10, 4, {
        ...drawn([square(2, 2, 10), square(4, 4, 3, false), square(8, 8, 2, false)]),
        creator: "bob",
        metadata: { mood: "good", count: Long.fromNumber(2), nothing: Number.NaN },
        keypoints: [3, 4, 2, 0, 0, 0],
        milliseconds: 1500,
        events: [event("bob", 1000), event("gone", 500)],
      }),
      oldAnnotation(101, 10, 5, {
        segmentation: [[0, 0, 10, 0, 10, 10, 0, 10]],
        area: new Double(100),
        bbox: [0, 0, 10, 10],
        creator: "gone",
      }),
      oldAnnotation(102, 10, 4, { bbox: [1, 2, 3, 4], isbbox: true, creator: "BOB" }),
      oldAnnotation(103, 10, 4, { ...drawn([square(2, 2, 5)]), creator: "ann", deleted: true, deleted_date: AT }),
      oldAnnotation(104, 10, 97, { ...drawn([square(2, 2, 5)]), creator: "system" }),
      oldAnnotation(105, 999, 4),
      oldAnnotation(new Double(106), Decimal128.fromString("12"), Long.fromNumber(5), drawn([square(1, 1, 4)])),
      oldAnnotation(107, 14, 5, {
        ...drawn([]),
        segmentation: [[0, 0, 10, 0, 10, 5, 0, 5]],
        width: 20,
        height: 40,
        area: 50,
      }),
      { _id: 108, image_id: 10, category_id: 5 },
    ],
    export_model: [
      { _id: 2, dataset_id: 3, path: "/datasets/cats/.exports/coco-1.json", tags: ["COCO", "cat"], created_at: AT },
      { _id: 3, dataset_id: 3, path: "/datasets/cats/.exports/gone.json", tags: [] },
    ],
    license_model: [{ _id: 1, name: "CC BY 4.0", url: "https://example.org" }],
    task_model: [{ _id: 1 }],
    "mongoengine.counters": [
      { _id: "annotation_model.id", next: 500 },
      { _id: "image_model.id", next: 60 },
    ],
  };
}

async function writeFiles(folder: string): Promise<void> {
  await writeImages(folder, ["cats/a/one.png", "cats/two.png"]);
  writeFileSync(join(folder, "cats/turned.jpg"), await jpegWithOrientation(6));
  mkdirSync(join(folder, "cats/.exports"), { recursive: true });
  writeFileSync(join(folder, "cats/.exports/coco-1.json"), "{}");
}

/** Migrates documents into a server. Returns the report. */
async function migrate(server: TestServer, dump: string, images: string, more = {}): Promise<string[]> {
  const report = new MigrationReport();
  const source = await migrateDump({
    db: server.db,
    files: server.services.files,
    dump: await openDump(dump),
    report,
    images,
    link: false,
    upright: false,
    isDryRun: false,
    annotateOrigins: server.env.ANNOTATE_ORIGINS,
    acceptDamage: false,
    acceptMissing: false,
    onProgress: () => undefined,
    ...more,
  });
  await writeIds(server.db, source, join(dump, "ids.csv"));
  return report.lines(false);
}

const rowsOf = async (server: TestServer, query: string): Promise<Document[]> =>
  (await sql.raw<Document>(query).execute(server.db)).rows;

describeOnBothDatabases("a dump in an empty installation", (open) => {
  let server: TestServer;
  const dump = temporaryFolder();
  const images = temporaryFolder();
  let lines: string[];
  const login = async (username: string) => {
    const client = server.visitor();
    expect((await client.post("user/login", { username, password: "secret" })).status).toBe(200);
    return client;
  };

  beforeAll(async () => {
    server = await startServer(await open());
    writeDump(dump, documents());
    await writeFiles(images);
    lines = await migrate(server, dump, images);
    return () => server.close();
  });

  it("the report has every document", () => {
    expect(lines.filter((line) => !line.startsWith(" "))).toEqual([
      "user_model: 4 read, 4 created, 0 migrated before, 0 skipped",
      "category_model: 3 read, 3 created, 0 migrated before, 0 skipped",
      "dataset_model: 2 read, 2 created, 0 migrated before, 0 skipped",
      "license_model: 1 read, 1 created, 0 migrated before, 0 skipped",
      "image_model: 5 read, 4 created, 0 migrated before, 1 skipped",
      "annotation_model: 9 read, 8 created, 0 migrated before, 1 skipped",
      "export_model: 2 read, 1 created, 0 migrated before, 1 skipped",
      "mongoengine.counters: 2 read, 0 created, 0 migrated before, 2 skipped",
      "task_model: 1 read, 0 created, 0 migrated before, 1 skipped",
      "With them: 1 categories in the trash, 1 memberships, 1 datasets in the trash, 1 images in the trash, " +
        "1 sessions of work on images, 1 annotations in the trash, 2 holes, 1 annotations with holes, " +
        "2 sessions of work on annotations",
    ]);
    expect(lines.join("\n")).toContain("1 has a password that cannot be carried over");
    expect(lines.join("\n")).toContain("image 12 (/datasets/cats/missing.png)");
  });

  it("accounts log in with their old passwords, and see what they saw", async () => {
    const ann = await login("ann");
    expect((await ann.get("user/")).body.user).toMatchObject({
      name: "Ann",
      is_admin: true,
      preferences: { brush: { radius: 7 } },
    });
    const [hash] = await rowsOf(server, "select password_hash from users where username = 'ann'");
    expect(hash?.password_hash).toMatch(/^\$argon2id\$/);
    const bob = await login("bob");
    const { datasets } = (await bob.get("dataset/data")).body;
    expect(datasets).toMatchObject([
      { id: 3, name: "cats", owner: "ann", users: ["bob"], numberImages: 3, numberAnnotated: 3 },
    ]);
    expect(datasets[0]).toMatchObject({
      annotate_url: "http://127.0.0.1:5000/annotate",
      default_annotation_metadata: { mood: "" },
    });
    expect(
      (await rowsOf(server, "select username, name from users order by id")).map(({ username }) => username),
    ).toEqual(["ann", "bob", "BOB-2", "Jorg_Muller"]);
  });

  it("categories keep ids, creators and keypoints", async () => {
    expect(
      await rowsOf(
        server,
        "select id, name, supercategory, color, creator_name, deleted_at from categories order by id",
      ),
    ).toEqual([
      { id: 4, name: "cat", supercategory: "", color: "#aabbcc", creator_name: "ann", deleted_at: null },
      { id: 5, name: "cat", supercategory: "pet", color: "#aabbcc", creator_name: "bob", deleted_at: null },
      { id: 6, name: "Cat 2", supercategory: "", color: "#aabbcc", creator_name: "ann", deleted_at: AT },
      expect.objectContaining({ name: "Category 97", creator_name: "system" }),
    ]);
    const { body } = await (await login("ann")).get("category/4");
    expect(body).toMatchObject({
      keypoint_labels: ["nose", "tail"],
      keypoint_edges: [[1, 2]],
      keypoint_colors: ["#ff0000", "#00ff00"],
    });
  });

  it("the annotator shows shapes with holes, keypoints, creators and metadata", async () => {
    const { body } = await (await login("bob")).get("annotator/data/10?shape=rings");
    expect(body.image).toMatchObject({
      id: 10,
      path: "a/one.png",
      category_ids: [4, 5, expect.any(Number)],
      metadata: { weather: "sun" },
      milliseconds: 5000,
    });
    const all = body.categories.flatMap((category: Document) => category.annotations);
    expect(all.map(({ id }: Document) => id)).toEqual([100, 102, 101, 108, 104]);
    expect(all[0]).toMatchObject({
      creator: "bob",
      color: "#112233",
      metadata: { mood: "good", count: 2, nothing: null },
      rings: [[[2, 2, 12, 2, 12, 12, 2, 12], expect.any(Array), expect.any(Array)]],
      keypoints: [{ label: 1, x: 3, y: 4, v: 2 }],
      area: 100 - 9 - 4,
      bbox: [2, 2, 10, 10],
    });
    expect(all[1]).toMatchObject({ isbbox: true, bbox: [1, 2, 3, 4], creator: "BOB-2" });
    expect(all[2]).toMatchObject({ area: 100, bbox: [0, 0, 10, 10], creator: "gone" });
  });

  it("annotations keep time, trash and counts", async () => {
    expect(
      await rowsOf(
        server,
        "select id, milliseconds, deleted_at, creator_name, category_id from annotations where image_id = 10 order by id",
      ),
    ).toMatchObject([
      { id: 100, milliseconds: 1500, deleted_at: null },
      { id: 101, creator_name: "gone" },
      { id: 102 },
      { id: 103, deleted_at: AT },
      { id: 104, creator_name: "system" },
      { id: 108, creator_name: "system", deleted_at: null },
    ]);
    const sessions = await rowsOf(
      server,
      "select username, milliseconds, annotation_uuid is null as of_image, tools from work_sessions left join users on users.id = user_id order by milliseconds",
    );
    expect(sessions).toEqual([
      { username: null, milliseconds: 500, of_image: false, tools: ["Polygon"] },
      { username: "bob", milliseconds: 1000, of_image: false, tools: ["Polygon"] },
      { username: "bob", milliseconds: 5000, of_image: true, tools: ["Polygon"] },
    ]);
    const trash = (await (await login("ann")).get("undo/list/?type=all&limit=50")).body;
    expect(trash.map(({ instance, id }: Document) => `${instance} ${id}`)).toEqual(
      expect.arrayContaining(["annotation 103", "image 11", "category 6", "dataset 4"]),
    );
  });

  it("annotations on an image with an EXIF orientation are turned with it", async () => {
    const [row] = await rowsOf(
      server,
      "select shape, width, height, orientation from annotations a join images i on i.id = image_id where a.id = 107",
    );
    expect(row).toMatchObject({ width: 40, height: 20, orientation: 6 });
    expect(row?.shape).toEqual([[40, 0, 40, 10, 35, 10, 35, 0]]);
  });

  it("exports have holes as masks, and the licence", async () => {
    const coco = (await (await login("ann")).get("dataset/3/coco")).body;
    const hole = coco.annotations.find(({ id }: Document) => id === 100);
    expect(hole).toMatchObject({ area: 87, segmentation: { size: [20, 40], counts: expect.anything() } });
    expect(coco.licenses).toEqual([{ id: 1, name: "CC BY 4.0", url: "https://example.org" }]);
    expect(coco.images.find(({ id }: Document) => id === 10)).toMatchObject({ license: 1 });
    expect((await (await login("ann")).get("dataset/3/exports")).body).toMatchObject([
      { id: 2, tags: ["COCO", "cat"] },
    ]);
    expect((await (await login("ann")).get("export/2/download")).text).toBe("{}");
  });

  it("statistics and thumbnails work", async () => {
    const ann = await login("ann");
    const { body } = await ann.get("dataset/3/stats");
    expect(body.total).toMatchObject({ Images: 3, "Annotated Images": 3 });
    expect((await ann.get("image/10?thumbnail=true&width=20")).status).toBe(200);
    expect((await ann.get("image/12?thumbnail=true&width=20")).status).toBe(404);
  });

  it("new objects get ids after all old ones", async () => {
    const ann = await login("ann");
    const category = await ann.post("category/", { name: "dog" });
    const created = await ann.post("annotation/", { image_id: 10, category_id: 4 });
    expect(category.body.id).toBeGreaterThan(6);
    expect(created.body.id).toBe(501);
  });

  it("a second run changes nothing, and so does a dry run", async () => {
    const before = await readAllTables(server.db);
    const again = await migrate(server, dump, images);
    expect(again.filter((line) => / [1-9]\d* created/.test(line))).toEqual([]);
    await migrate(server, dump, images, { isDryRun: true });
    expect(await readAllTables(server.db)).toEqual(before);
    expect(existsSync(join(dump, "flask", "ids.csv"))).toBe(false);
  });

  it("a file that was missing is added when it is there", async () => {
    await writeImages(images, ["cats/missing.png"]);
    await migrate(server, dump, images);
    expect((await (await login("ann")).get("image/12?thumbnail=true&width=20")).status).toBe(200);
  });

  it("a later dump adds what is new and leaves the rest", async () => {
    const ann = await login("ann");
    await ann.delete("annotation/101");
    const later = documents();
    later.annotation_model = [
      ...(later.annotation_model ?? []).map((each) => ({ ...each, color: "#000000" })),
      oldAnnotation(600, 20, 7, drawn([square(0, 0, 4)])),
    ];
    later.image_model?.push(oldImage(20, cats, "a/one (2).png"));
    later.category_model?.push(oldCategory(7, "bird", { creator: "ann" }));
    later.dataset_model = [{ ...cats, categories: [4, 7] }, trashed];
    const second = temporaryFolder();
    writeDump(second, later);
    await writeImages(images, ["cats/a/one (2).png"]);
    await migrate(server, second, images);
    const [old] = await rowsOf(server, "select color, deleted_at from annotations where id = 101");
    expect(old).toMatchObject({ color: "#112233", deleted_at: expect.any(Date) });
    const [added] = await rowsOf(
      server,
      "select a.id, i.path, c.name from annotations a join images i on i.id = a.image_id join categories c on c.id = a.category_id where c.name = 'bird'",
    );
    expect(added).toMatchObject({ path: "a/one (2).png" });
    expect(added?.id).toBeGreaterThan(501);
    const listed = await rowsOf(server, "select category_id from dataset_categories where dataset_id = 3");
    expect(listed).toHaveLength(3);
  });
});

describe("a dump in an installation that is in use", () => {
  it("gets new ids, new names where the old ones are taken, and a table of ids", async () => {
    const server = await startServer(await openEither());
    const user = await server.user("Ann", { admin: true });
    await user.post("dataset/?name=cats", {});
    await user.post("category/", { name: "CAT" });
    const [dump, images] = [temporaryFolder(), temporaryFolder()];
    writeDump(dump, documents(), { gzip: true });
    await writeFiles(images);
    const lines = await migrate(server, dump, images);
    expect(lines[0]).toBe("user_model: 4 read, 3 created, 0 migrated before, 1 there already and used, 0 skipped");
    const datasets = await rowsOf(server, "select id, name, folder, owner_id from datasets order by id");
    expect(datasets.slice(0, 2)).toMatchObject([
      { name: "cats", folder: "cats", owner_id: user.id },
      { name: "cats 2", folder: "cats 2", owner_id: user.id },
    ]);
    const categories = await rowsOf(server, "select name from categories where creator_id is not null order by id");
    expect(categories.map(({ name }) => name)).toEqual(["CAT", "cat 2", "cat", "Cat 3"]);
    const table = readFileSync(join(dump, "ids.csv"), "utf8").split("\n");
    expect(table[0]).toBe("collection,old_id,new_id");
    expect(table).toContain(`dataset_model,3,${datasets[1]?.id}`);
    expect(table.filter((line) => line.startsWith("annotation_model,"))).toHaveLength(8);
    const before = await readAllTables(server.db);
    await migrate(server, dump, images);
    expect(await readAllTables(server.db)).toEqual(before);
    await server.close();
  });
});

describe("the folder of images", () => {
  it("is used in place if it is the data folder's, and its files stay as they are", async () => {
    const server = await startServer(await openEither());
    const dump = temporaryFolder();
    writeDump(dump, documents());
    const images = server.env.DATASETS_DIR;
    await writeFiles(images);
    const before = statSync(join(images, "cats/a/one.png"));
    await migrate(server, dump, images);
    expect(statSync(join(images, "cats/a/one.png"))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(readdirSync(join(images, "cats")).sort()).toEqual([".exports", "a", "turned.jpg", "two.png"]);
    await server.close();
  });

  it("must be the right one, and a damaged dump is refused, before anything is written", async () => {
    const server = await startServer(await openEither());
    const [dump, images] = [temporaryFolder(), temporaryFolder()];
    const inner = writeDump(dump, documents());
    const before = await readAllTables(server.db);
    await expect(migrate(server, dump, join(images, "none"))).rejects.toThrow("does not exist");
    await expect(migrate(server, dump, images)).rejects.toThrow(
      /No file of the first 4 images is in .*cats\/a\/one\.png/,
    );
    await writeFiles(images);
    const file = join(inner, "annotation_model.bson");
    writeFileSync(file, readFileSync(file).subarray(0, -5));
    await expect(migrate(server, dump, images)).rejects.toThrow(/annotation_model\.bson ends inside its document 9/);
    expect(await readAllTables(server.db)).toEqual(before);
    const lines = await migrate(server, dump, images, { acceptDamage: true });
    expect(lines).toContainEqual(expect.stringMatching(/^annotation_model: 8 read, 7 created/));
    rmSync(file);
    await server.close();
  });
});
