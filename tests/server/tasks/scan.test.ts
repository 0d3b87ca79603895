import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { taskKinds } from "../../../server/tasks";
import { describeOnDatabases } from "../../support/databases";
import { seedAnnotation, seedCategory } from "../../support/factories";
import { badImages, goodImages, jpegWithOrientation, upright, writeFiles } from "../../support/images";
import { runTask } from "../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnDatabases("scanning a dataset's folder", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let datasetId: number;
  let folder: string;
  let names = 0;

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    const made = await ann.post("dataset/", { name: `set ${++names}` });
    datasetId = made.body.id;
    folder = join(server.env.DATASETS_DIR, `set ${names}`);
  });

  /** Writes images with an old modification time, so that no scan waits for them. */
  async function put(files: Record<string, Buffer>) {
    await writeFiles(folder, files);
    for (const name of Object.keys(files)) await touch(name, 60);
  }
  const touch = (name: string, secondsAgo: number) => {
    const time = new Date(Date.now() - secondsAgo * 1000);
    return utimes(join(folder, name), time, time);
  };
  async function scan() {
    const { body } = await ann.get(`dataset/${datasetId}/scan`);
    return runTask(server.db, taskKinds, server.services, body.id);
  }
  const rows = () =>
    server.db.selectFrom("images").selectAll().where("dataset_id", "=", datasetId).orderBy("path").execute();
  const paths = async () => (await rows()).map(({ path }) => path);

  it("finds images of every kind in every subfolder, with their upright size", async () => {
    const good = await goodImages();
    await put({
      ...good,
      "a/b/c/turned.JPG": await jpegWithOrientation(6),
      "a/.hidden/x.png": await upright().png().toBuffer(),
    });
    const { row, log } = await scan();
    expect([row.state, row.warnings, row.errors, row.progress]).toEqual(["done", 0, 0, 100]);
    expect(await paths()).toEqual([...Object.keys(good), "a/b/c/turned.JPG"].sort());
    expect(log.at(-1)).toBe(`INFO Created ${Object.keys(good).length + 1} new image(s).`);
    for (const image of await rows()) expect([image.path, image.width, image.height]).toEqual([image.path, 40, 20]);
    const turned = (await rows()).find(({ path }) => path.startsWith("a/"));
    expect(turned).toMatchObject({ folder: "a/b/c/", file_name: "turned.JPG", orientation: 6 });
  });

  it("reports each invalid file and adds the others", async () => {
    const bad = await badImages();
    await put({ ...bad, "good.png": await upright().png().toBuffer(), "notes.txt": Buffer.from("notes") });
    await put({ "labels/nothing.txt": Buffer.alloc(0) });
    mkdirSync(join(folder, "folder.jpg"));
    symlinkSync("/etc/passwd", join(folder, "link.jpg"));
    symlinkSync(folder, join(folder, "loop"));
    execFileSync("mkfifo", [join(folder, "pipe.jpg")]);
    await put({ "copying.jpg.part": Buffer.from("x") });
    const { row, log } = await scan();
    expect(row.state).toBe("done");
    expect(await paths()).toEqual(["good.png"]);
    const warnings = log.filter((line) => line.startsWith("WARNING"));
    expect(warnings.map((line) => /^WARNING Could not read (.*?): its? /.exec(line)?.[1]).sort()).toEqual(
      Object.keys(bad).sort(),
    );
    const leftOut = log.filter((line) => line.startsWith("INFO Skipped 2 file(s) that are not images: "));
    expect(leftOut.join()).toMatch(/: (labels\/nothing\.txt, notes|notes\.txt, labels\/nothing)\.txt\.$/);
  });

  it("changes nothing when it is repeated", async () => {
    await put({ "a.png": await upright().png().toBuffer(), "x/b.jpg": await jpegWithOrientation(3) });
    await scan();
    const before = await rows();
    const { row } = await scan();
    expect(await rows()).toEqual(before);
    expect(row.result).toMatchObject({ created: 0, known: 2, changed: 0, moved: 0, missing: 0 });
  });

  it("returns the queued scan to a second call", async () => {
    const [one, two] = await Promise.all([ann.get(`dataset/${datasetId}/scan`), ann.get(`dataset/${datasetId}/scan`)]);
    const { id } = one.body;
    const started = { id, name: `Scanning set ${names} for new images`, celery_id: `${id}` };
    const responses = [one.body, two.body];
    expect(responses).toContainEqual(started);
    expect(responses).toContainEqual({ ...started, existing: true });
    await scan();
  });

  it("keeps an image that was moved or renamed, with its annotations", async () => {
    await put({ "a.png": await upright().png().toBuffer() });
    await scan();
    const [before] = await rows();
    mkdirSync(join(folder, "sub"));
    renameSync(join(folder, "a.png"), join(folder, "sub", "A.png"));
    const { row } = await scan();
    const after = await rows();
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: before?.id, path: "sub/A.png", folder: "sub/", file_name: "A.png" });
    expect(row.result).toMatchObject({ moved: 1, created: 0, missing: 0 });
  });

  it("adds a copy as another image", async () => {
    const bytes = await upright().png().toBuffer();
    await put({ "a.png": bytes });
    await scan();
    await put({ "b.png": bytes });
    await scan();
    expect(await paths()).toEqual(["a.png", "b.png"]);
  });

  it("accepts changed content that fits its annotations, and keeps the row otherwise", async () => {
    const bytes = await upright().png().toBuffer();
    await put({ "same.png": bytes, "other.png": bytes, "blank.png": bytes });
    await scan();
    const before = await rows();
    const other = before.find(({ path }) => path === "other.png");
    const category = await seedCategory(server.db, ann.id);
    await seedAnnotation(server.db, other?.id ?? 0, category);
    const kept = (await rows()).find(({ path }) => path === "other.png");
    const large = await upright(3).png().toBuffer();
    await put({ "same.png": await upright().flop().png().toBuffer(), "other.png": large, "blank.png": large });
    for (const name of ["other.png", "blank.png"]) await touch(name, 30);
    const { row, log } = await scan();
    const after = await rows();
    expect([row.warnings, row.result]).toEqual([3, expect.objectContaining({ changed: 3, created: 0 })]);
    expect(log.join("\n")).toContain("other.png is now 120 x 60 pixels instead of 40 x 20.");
    expect(log.join("\n")).toContain("same.png has new content.");
    expect(log).toContain("INFO 3 image(s) have new content.");
    expect(after.find(({ path }) => path === "other.png")).toEqual(kept);
    expect(after.find(({ path }) => path === "blank.png")).toMatchObject({ width: 120, height: 60 });
    expect(after.find(({ path }) => path === "same.png")?.hash).not.toBe(
      before.find(({ path }) => path === "same.png")?.hash,
    );
    expect((await scan()).row.warnings).toBe(1);
  });

  it("skips names with control characters and direction marks, and reports them; known images stay", async () => {
    const bytes = await upright().png().toBuffer();
    await put({ "good.png": bytes, "known.png": bytes });
    await scan();
    renameSync(join(folder, "known.png"), join(folder, "kn\rown.png"));
    await server.db
      .updateTable("images")
      .set({ path: "kn\rown.png", file_name: "kn\rown.png" })
      .where("path", "=", "known.png")
      .where("dataset_id", "=", datasetId)
      .execute();
    const odd = [
      "a\r\nb.png",
      "tab\t.png",
      "\u202egnp.x.png",
      "\u200fx.png",
      "\u2066y.png",
      "line\u2028.png",
      "bell\u0007.png",
    ];
    await put(Object.fromEntries([...odd, "fol\nder/inside.png"].map((name) => [name, bytes])));
    const { row, log } = await scan();
    expect(row).toMatchObject({ state: "done", result: { created: 0, missing: 0 } });
    const warnings = log.filter((line) => line.includes("its name has an invisible character; rename it"));
    expect(warnings).toHaveLength(odd.length + 2);
    expect(warnings.join("")).not.toMatch(/[\p{Cc}\u200f\u2028\u202e\u2066]/u);
    expect(await paths()).toEqual(["good.png", "kn\rown.png"]);
  });

  it("adds hundreds of files, including equal ones, with names of all sorts, and recognises them all again", async () => {
    const bytes = await upright().png().toBuffer();
    const names = [
      'say "hi" & 50%.png',
      "ue\u0308ber.png",
      "\u00fcber.png",
      "\u{1f600}.png",
      "back\\slash.png",
      " lead and trail .png",
      "{id}.png",
      "%2e%2e%2f.png",
      "-rf.png",
      `${"x".repeat(240)}.png`,
    ];
    const padded = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [`padded/${n}.png`, Buffer.concat([bytes, Buffer.alloc(n)])]),
    );
    const equal = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`equal/${n}.png`, bytes]));
    await put({ ...padded, ...equal, ...Object.fromEntries(names.map((name) => [`odd/${name}`, bytes])) });
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder}/odd/`), Buffer.from([0xff, 0xfe]), Buffer.from(".png")]),
      bytes,
    );
    symlinkSync(join(folder, "nowhere.png"), join(folder, "odd", "broken.png"));
    const { row, log } = await scan();
    expect(row.result).toMatchObject({ created: 310, missing: 0, not_pictures: 0 });
    expect(log.filter((line) => line.startsWith("WARNING"))).toEqual([
      expect.stringContaining("its name is not written in UTF-8"),
    ]);
    expect((await paths()).filter((path) => path.startsWith("odd/")).sort()).toEqual(
      names.map((name) => `odd/${name}`).sort(),
    );
    renameSync(join(folder, "equal"), join(folder, "moved"));
    expect((await scan()).row.result).toMatchObject({ created: 0, moved: 150, known: 160, missing: 0 });
  });

  it("recognises a file of which only the time changed", async () => {
    await put({ "a.png": await upright().png().toBuffer() });
    await scan();
    await touch("a.png", 600);
    expect((await scan()).row).toMatchObject({ warnings: 0, result: { changed: 0, known: 1 } });
  });

  it("leaves trashed images in the trash", async () => {
    await put({ "a.png": await upright().png().toBuffer() });
    await scan();
    const [image] = await rows();
    await ann.delete(`image/${image?.id}`);
    const { row } = await scan();
    expect(row.result).toMatchObject({ created: 0, in_bin: 1 });
    expect((await rows()).map(({ deleted_at }) => deleted_at !== null)).toEqual([true]);
  });

  it("deletes nothing when files or the whole folder are missing", async () => {
    await put({ "a.png": await upright().png().toBuffer(), "b.png": await upright(2).png().toBuffer() });
    await scan();
    const before = await rows();
    rmSync(join(folder, "a.png"));
    const one = await scan();
    expect(one.log).toContain("INFO 1 image(s) have no file.");
    expect(one.log).toContain("WARNING The file of a.png is missing. The image and its annotations are kept.");
    rmSync(join(folder, "b.png"));
    expect((await scan()).log.join()).toContain("The folder is empty, and the dataset has 2 image(s).");
    rmSync(folder, { recursive: true });
    const gone = await scan();
    expect(gone.row.state).toBe("failed");
    expect(gone.log.at(-1)).toBe(`ERROR The folder "set ${names}" does not exist. Is its disk mounted?`);
    expect(await rows()).toEqual(before);
  });

  it("keeps known images whose name scans skip, and uploads go no deeper than scans", async () => {
    const imageFile = await upright().png().toBuffer();
    const upload = async (name: string, folders = 0) => {
      const form = new FormData();
      form.set("dataset_id", String(datasetId));
      form.set("folder", "d/".repeat(folders));
      form.set("image", new Blob([new Uint8Array(imageFile)]), name);
      return (await ann.request("POST", "image/", { body: form })).status;
    };
    for (const name of ["half.png.part", "old.png~", "plain.png"]) expect(await upload(name)).toBe(200);
    expect([await upload("deep.png", 63), await upload("deeper.png", 64), await upload("\u{fffd}.png")]).toEqual([
      200, 400, 400,
    ]);
    const { row, log } = await scan();
    expect([row.result, log]).toMatchObject([{ missing: 0, known: 2 }, ["INFO Created 0 new image(s)."]]);
  });

  it("waits for a file that has just been written", async () => {
    await writeFiles(folder, { "new.png": await upright().png().toBuffer() });
    await scan();
    expect(await paths()).toEqual(["new.png"]);
  });

  it("continues where a killed scan has stopped", async () => {
    const bytes = await upright().png().toBuffer();
    await put(Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`${i}.png`, bytes])));
    const { body } = await ann.get(`dataset/${datasetId}/scan`);
    const controller = new AbortController();
    const helpers = {
      taskId: body.id,
      attempt: 1,
      db: server.db,
      files: server.services.files,
      live: server.services.live,
      dextr: server.services.dextr,
      env: server.env,
      signal: controller.signal,
      progress: (percent: number) => percent > 0 && controller.abort(new Error("killed")),
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
      keepResult: () => undefined,
    };
    await expect(taskKinds.scan?.({ dataset_id: datasetId }, helpers)).rejects.toThrow("killed");
    expect((await paths()).length).toBe(200);
    await runTask(server.db, taskKinds, server.services, body.id);
    expect((await paths()).length).toBe(250);
  });

  it("users without access may not scan, and members may", async () => {
    const eve = await server.user(`eve${names}`);
    expect((await eve.get(`dataset/${datasetId}/scan`)).status).toBe(404);
    await ann.post(`dataset/${datasetId}/share`, { users: [`eve${names}`] });
    expect((await eve.get(`dataset/${datasetId}/scan`)).status).toBe(200);
    expect((await eve.get(`dataset/${datasetId}/scan`, { headers: { "X-Requested-With": "" } })).status).toBe(403);
  });
});
