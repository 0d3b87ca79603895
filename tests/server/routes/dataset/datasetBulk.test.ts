import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { claimTask } from "../../../../server/queue/claim";
import { startRun } from "../../../../server/queue/run";
import { taskKinds } from "../../../../server/tasks";
import { describeOnDatabases } from "../../../support/databases";
import { seedAnnotation, seedCategory, seedImage } from "../../../support/factories";
import { upright } from "../../../support/images";
import { runTask } from "../../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../../support/server";
import { stopAtFirstProgress } from "../../../support/stopTask";

describeOnDatabases("changing many images at once", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let eve: TestUser;
  let dataset: number;
  let names = 0;
  const place = (path: string) => join(server.env.DATASETS_DIR, `set ${names}`, path);

  beforeAll(async () => {
    server = await startServer(await open());
    [ann, bob, eve] = [await server.user("ann"), await server.user("bob"), await server.user("eve")];
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    dataset = (await ann.post("dataset/", { name: `set ${++names}` })).body.id;
    await ann.post(`dataset/${dataset}/share`, { users: ["bob"] });
  });

  async function withFile(path: string): Promise<number> {
    mkdirSync(dirname(place(path)), { recursive: true });
    writeFileSync(place(path), `bytes of ${path}`);
    return seedImage(server.db, dataset, path);
  }
  const seed = async (...paths: string[]) => {
    const ids: number[] = [];
    for (const path of paths) ids.push(await seedImage(server.db, dataset, path));
    return ids;
  };
  async function seedMany(count: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash)
      select ${dataset}::int, n || '.jpg', '', n || '.jpg', 9, 9, 'image/jpeg', 1, 0, n::text
      from generate_series(1, ${count}::int) n returning id`.execute(server.db);
    return rows.map(({ id }) => id);
  }
  const ask = (what: string, json: unknown, by = ann) => by.post(`dataset/${dataset}/images/${what}`, json);
  const pathsOf = async (query = "") =>
    (await ann.get(`dataset/${dataset}/data?order=path&limit=1000&${query}`)).body.images.map(
      ({ path }: { path: string }) => path,
    );
  const rowOf = (id: number) =>
    server.db.selectFrom("images").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  it("moves the given images to the trash, and restores those of one call", async () => {
    const [a, b, c] = await seed("a.jpg", "b.jpg", "c.jpg");
    const first = await ask("delete", { ids: [a] });
    const { status, body } = await ask("delete", { ids: [b, b, c] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ changed: 2, failed: 0, failures: [], task: null });
    expect(await pathsOf()).toEqual([]);
    const back = await ask("restore", { undo: body.undo });
    expect(back.body).toMatchObject({ changed: 2, failed: 0 });
    expect(await pathsOf()).toEqual(["b.jpg", "c.jpg"]);
    expect((await ask("restore", { undo: first.body.undo })).body.changed).toBe(1);
  });

  it("changes all images that match a filter, on any page, and no others", async () => {
    const [a] = await seed("x/a1.jpg", "x/a2.jpg", "x/b.jpg", "y/a3.jpg");
    await server.db
      .updateTable("images")
      .set({ annotated: true })
      .where("id", "=", a ?? 0)
      .execute();
    const filter = { folder: "x", file_name__icontains: "A", annotated: false };
    expect((await ask("delete", { filter })).body.changed).toBe(1);
    expect(await pathsOf()).toEqual(["x/a1.jpg", "x/b.jpg", "y/a3.jpg"]);
    expect((await ask("mark", { filter: {}, done: true })).body.changed).toBe(3);
    expect(await pathsOf("done=true")).toHaveLength(3);
    expect((await ask("delete", { filter: { folder: "x" }, except: [a, 987654] })).body.changed).toBe(1);
    expect(await pathsOf()).toEqual(["x/a1.jpg", "y/a3.jpg"]);
  });

  it("changes nothing if the number of matches differs from the caller's, and returns the current number", async () => {
    const category = await seedCategory(server.db, ann.id);
    const [a] = await seed("x/a.jpg", "x/b.jpg", "y/c.jpg");
    const filter = { folder: "x" };
    const bodies = {
      delete: {},
      move: { folder: "z" },
      label: { add: [category] },
      mark: { done: true },
    };
    for (const [what, more] of Object.entries(bodies)) {
      const { status, body } = await ask(what, { filter, total: 3, ...more });
      expect([what, status, body]).toMatchObject([what, 409, { code: "total_changed", facts: { total: 2 } }]);
      expect(body.message).toContain("2 images match now, not 3. Nothing was changed.");
    }
    expect((await ask("delete", { filter, except: [a], total: 2 })).body.facts.total).toBe(1);
    expect(await pathsOf()).toEqual(["x/a.jpg", "x/b.jpg", "y/c.jpg"]);
    expect(await pathsOf("done=true")).toEqual([]);
    const { body } = await ann.get(`dataset/${dataset}`);
    expect(body.categories).toEqual([]);
    expect((await ask("mark", { filter, total: 2, done: true })).body.changed).toBe(2);
    expect((await ask("delete", { filter, except: [a], total: 1 })).body.changed).toBe(1);
    expect((await ask("delete", { filter: { folder: "nowhere" }, total: 0 })).body.changed).toBe(0);
  });

  it("changes nothing if other images match than those of the digest, though as many", async () => {
    const [a, b, c] = await seed("x/a.jpg", "x/b.jpg", "x/c.jpg", "y/d.jpg");
    const digest = async () => (await ann.get(`dataset/${dataset}/images/selection?folder=x`)).body;
    const seen = await digest();
    expect(seen.total).toBe(3);
    await ask("delete", { ids: [b] });
    await seed("x/new.jpg");
    const filter = { folder: "x" };
    for (const more of [{ total: 3 }, { except: [a], total: 2 }]) {
      const { status, body } = await ask("delete", { filter, ...more, digest: seen.digest });
      expect([status, body.code, body.facts.total]).toEqual([409, "total_changed", more.total]);
      expect(body.facts.digest).toBe((await digest()).digest);
    }
    expect(await pathsOf()).toEqual(["x/a.jpg", "x/c.jpg", "x/new.jpg", "y/d.jpg"]);
    const { digest: now } = await digest();
    expect((await ask("delete", { filter, except: [a, c, 987654], total: 1, digest: now })).body.changed).toBe(1);
    expect(await pathsOf()).toEqual(["x/a.jpg", "x/c.jpg", "y/d.jpg"]);
  });

  it("passes to a task exactly the images that matched at the time of the request", async () => {
    const ids = await seedMany(300);
    const { body } = await ask("mark", { filter: { done: false }, except: [ids[7]], total: 299, done: true });
    await seed("later.jpg");
    await ask("mark", { ids: ids.slice(0, 5), done: true });
    const { row } = await runTask(server.db, taskKinds, server.services, body.task.id);
    expect(row.result).toMatchObject({ changed: 299, failed: 0 });
    expect(await pathsOf("done=false")).toEqual(["8.jpg", "later.jpg"]);
  });

  it("leaves alone in a task what another user has moved or assigned since the request", async () => {
    await ann.post(`dataset/${dataset}`, { review: true });
    const ids = await seedMany(300);
    const run = async (what: string, json: object, meanwhile: () => Promise<unknown>) => {
      const { body } = await ask(what, { filter: {}, except: [ids[7]], total: 299, ...json });
      await meanwhile();
      return runTask(server.db, taskKinds, server.services, body.task.id);
    };
    const marked = await run("mark", { stage: "accepted" }, () =>
      ask("mark", { ids: ids.slice(3, 6), done: true }, bob),
    );
    expect(marked.row.result).toMatchObject({ changed: 296, failed: 3 });
    expect(marked.log).toContain(`WARNING Image ${ids[3]}: The stage of 4.jpg has changed since.`);
    expect(await pathsOf("stage=to_review")).toEqual(["4.jpg", "5.jpg", "6.jpg"]);
    const assigned = await run("assign", { users: ["bob"] }, () =>
      ask("assign", { ids: ids.slice(0, 2), users: ["ann"] }),
    );
    expect(assigned.row.result).toMatchObject({ changed: 297, failed: 2 });
    expect(await pathsOf("assignee=ann")).toEqual(["1.jpg", "2.jpg"]);
    expect(await pathsOf("assigned=false")).toEqual(["8.jpg"]);
  });

  it("accepts a filter from a task that an older version has queued", async () => {
    await seedMany(210);
    const { body } = await ask("mark", { filter: {}, done: true });
    const payload = sql`jsonb_set(payload, '{selection}', '{"filter": {"folder": ""}, "except": []}')`;
    await sql`update tasks set payload = ${payload} where id = ${body.task.id}`.execute(server.db);
    const { row } = await runTask(server.db, taskKinds, server.services, body.task.id);
    expect(row.result).toMatchObject({ changed: 210, failed: 0 });
  });

  it("reports missing images in the same way, whatever the reason, and changes the others", async () => {
    const other = (await eve.post("dataset/", { name: `other ${names}` })).body.id;
    const foreign = await seedImage(server.db, other);
    const [a, gone] = await seed("a.jpg", "gone.jpg");
    await ask("delete", { ids: [gone] });
    const { body } = await ask("mark", { ids: [foreign, a, gone, 2_000_000_000], done: true });
    expect(body).toMatchObject({ changed: 1, failed: 3 });
    expect(body.failures.map(({ id }: { id: number }) => id)).toEqual([foreign, gone, 2_000_000_000]);
    expect(new Set(body.failures.map(({ message }: { message: string }) => message))).toEqual(
      new Set(["Invalid image id"]),
    );
    expect((await rowOf(foreign)).done).toBe(false);
  });

  it("lets members label, mark and move, and owners alone delete and restore; other users see no dataset", async () => {
    const ids = await seed("a.jpg");
    const bodies = {
      delete: { ids },
      restore: { undo: new Date().toISOString() },
      move: { ids, folder: "x" },
      label: { ids },
      mark: { ids, done: true },
      undo: { undo: crypto.randomUUID() },
    };
    for (const [what, json] of Object.entries(bodies)) {
      const isOwners = what === "delete" || what === "restore";
      expect([what, (await ask(what, json, bob)).status]).toEqual([what, isOwners ? 403 : 200]);
      expect([what, (await ask(what, json, eve)).status]).toEqual([what, 404]);
    }
  });

  it("refuses an ambiguous choice of images", async () => {
    const ids = await seed("a.jpg");
    for (const json of [
      {},
      { ids: [] },
      { ids, filter: {} },
      { ids: ["1"] },
      { ids: null },
      { filter: "all" },
      { ids, except: ids },
      { except: ids },
      { ids, total: 1 },
      { filter: {}, total: -1 },
    ])
      expect([json, (await ask("delete", json)).status]).toEqual([json, 400]);
    expect((await ask("restore", { undo: "yesterday" })).status).toBe(400);
    expect((await ask("move", { ids, folder: "../x" })).status).toBe(400);
    expect(await pathsOf()).toEqual(["a.jpg"]);
  });

  it("moves images with their files, keeps their annotations, and reports taken names", async () => {
    const category = await seedCategory(server.db, ann.id);
    const a = await withFile("a.jpg");
    const b = await withFile("in/b.jpg");
    const sameName = await withFile("other/a.jpg");
    await seedAnnotation(server.db, a, category);
    const { body } = await ask("move", { ids: [a, b, sameName], folder: "/new//place/" });
    expect(body).toMatchObject({ changed: 2, failed: 1 });
    expect(body.failures).toEqual([{ id: sameName, message: "There is already an image at new/place/a.jpg." }]);
    expect(await pathsOf()).toEqual(["new/place/a.jpg", "new/place/b.jpg", "other/a.jpg"]);
    expect(readFileSync(place("new/place/a.jpg"), "utf8")).toBe("bytes of a.jpg");
    expect(existsSync(place("a.jpg"))).toBe(false);
    expect(readFileSync(place("other/a.jpg"), "utf8")).toBe("bytes of other/a.jpg");
    expect(await rowOf(a)).toMatchObject({ folder: "new/place/", file_name: "a.jpg", categories: [category] });
    expect((await ask("move", { ids: [b], folder: "" })).body.changed).toBe(1);
    expect(await pathsOf("folder=new")).toEqual(["new/place/a.jpg"]);
  });

  it("skips an image whose file is missing, or whose new place has a file or an image in the trash", async () => {
    const [gone, blocked, trashed, fine] = [
      await withFile("gone.jpg"),
      await withFile("blocked.jpg"),
      await withFile("bin.jpg"),
      await withFile("fine.jpg"),
    ];
    rmSync(place("gone.jpg"));
    mkdirSync(place("x"));
    writeFileSync(place("x/blocked.jpg"), "somebody's own");
    const deleted = await withFile("x/bin.jpg");
    await ask("delete", { ids: [deleted] });
    const { body } = await ask("move", { ids: [gone, blocked, trashed, fine], folder: "x" });
    expect(body).toMatchObject({ changed: 1, failed: 3 });
    expect(await pathsOf()).toEqual(["bin.jpg", "blocked.jpg", "gone.jpg", "x/fine.jpg"]);
    expect(readFileSync(place("x/blocked.jpg"), "utf8")).toBe("somebody's own");
    expect(readFileSync(place("blocked.jpg"), "utf8")).toBe("bytes of blocked.jpg");
    const behindFile = await ask("move", { ids: [blocked], folder: "x/fine.jpg" });
    expect(behindFile.body).toMatchObject({ changed: 0, failed: 1 });
  });

  it("completes a move that a kill interrupted between file and row, and never takes another file for the image's", async () => {
    const ids: number[] = [];
    for (const name of ["half.png", "other.png"]) {
      const form = new FormData();
      form.set("dataset_id", String(dataset));
      form.set(
        "image",
        new Blob([
          new Uint8Array(
            await upright(ids.length + 1)
              .png()
              .toBuffer(),
          ),
        ]),
        name,
      );
      ids.push((await ann.request("POST", "image/", { body: form })).body);
    }
    mkdirSync(place("x"));
    renameSync(place("half.png"), place("x/half.png"));
    rmSync(place("other.png"));
    writeFileSync(place("x/other.png"), await upright(7).png().toBuffer());
    const { body } = await ask("move", { ids, folder: "x" });
    expect(body).toMatchObject({ changed: 1, failed: 1, failures: [{ id: ids[1] }] });
    expect(await pathsOf()).toEqual(["other.png", "x/half.png"]);
    expect((await ann.get(`image/${ids[0]}`)).status).toBe(200);
  });

  it("moves an image once when two users want to move it", async () => {
    for (let n = 0; n < 20; n++) {
      const name = `${n}.jpg`;
      const a = await withFile(name);
      const answers = await Promise.all(["x", "y"].map((folder) => ask("move", { ids: [a], folder })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const { path } = await rowOf(a);
      expect(readFileSync(place(path), "utf8")).toBe(`bytes of ${name}`);
      expect([name, `x/${name}`, `y/${name}`].filter((other) => existsSync(place(other)))).toEqual([path]);
    }
  });

  it("ticks and unticks labels, raises revisions only if something changes, and lists the category", async () => {
    const [one, two] = [await seedCategory(server.db, ann.id), await seedCategory(server.db, ann.id)];
    const hidden = await seedCategory(server.db, eve.id);
    const [a = 0, b = 0] = await seed("a.jpg", "b.jpg");
    expect((await ask("label", { ids: [a], add: [two, one] })).body.changed).toBe(1);
    expect((await ask("label", { filter: {}, add: [one], remove: [two] })).body.changed).toBe(2);
    expect(await rowOf(a)).toMatchObject({ labels: [one], revision: 3, reload_revision: 3 });
    expect(await rowOf(b)).toMatchObject({ labels: [one], revision: 2 });
    await ask("label", { ids: [a, b], add: [one] });
    expect((await rowOf(a)).revision).toBe(3);
    expect(await pathsOf(`category_ids__in=${one}`)).toEqual(["a.jpg", "b.jpg"]);
    expect((await ann.get(`dataset/${dataset}/data`)).body.dataset.categories).toEqual([one, two]);
    expect((await ask("label", { ids: [a], add: [hidden] })).status).toBe(404);
    expect((await rowOf(a)).labels).toEqual([one]);
  });

  it("marks as done and not done, independently of the counted annotations", async () => {
    const [a, b] = await seed("a.jpg", "b.jpg");
    await ask("mark", { ids: [a], done: true });
    expect(await pathsOf("done=true")).toEqual(["a.jpg"]);
    expect(await pathsOf("done=false")).toEqual(["b.jpg"]);
    const { body } = await ann.get(`dataset/${dataset}/data?order=id`);
    expect(body.images).toMatchObject([
      { id: a, done: true, annotated: false },
      { id: b, done: false },
    ]);
    await ask("mark", { ids: [a, b], done: false });
    expect(await pathsOf("done=true")).toEqual([]);
  });

  it("passes many images to a task, which reports failures, and whose deletions can be undone at once", async () => {
    const ids = await seedMany(450);
    const run = async (what: string, json: unknown) => {
      const { body } = await ask(what, json);
      expect(body).toMatchObject({ changed: 0, task: { id: expect.any(Number) } });
      return { body, ...(await runTask(server.db, taskKinds, server.services, body.task.id)) };
    };
    const marked = await run("mark", { ids: [...ids, 2_000_000_000], done: true });
    expect(marked.row).toMatchObject({ state: "done", warnings: 1, result: { changed: 450, failed: 1 } });
    const { undo } = z.object({ undo: z.uuid() }).parse(marked.row.result);
    const unmarked = await run("undo", { undo });
    expect(unmarked.row.result).toEqual({ what: "takeBack", changed: 450, failed: 0, undo: null });
    await run("mark", { ids, done: true });
    expect(marked.log).toContain("WARNING Image 2000000000: Invalid image id");
    const deleted = await run("delete", { filter: { done: true } });
    expect(deleted.row.result).toEqual({ what: "delete", changed: 450, failed: 0, undo: deleted.body.undo });
    expect(await pathsOf()).toEqual([]);
    const restored = await run("restore", { undo: deleted.body.undo });
    expect(restored.row.result).toMatchObject({ changed: 450 });
    const { body } = await ann.get(`dataset/${dataset}/data`);
    expect(body).toMatchObject({ total: 450, dataset: { numberImages: 450 } });
  });

  it("counts the changes of a task that is cancelled or fails, and undoes them", async () => {
    const category = await seedCategory(server.db, ann.id);
    const ids = await seedMany(450);
    const commands = { mark: { done: true }, label: { add: [category] }, assign: { users: ["bob"] }, delete: {} };
    for (const [what, command] of Object.entries(commands))
      for (const end of ["cancelled", "failed"] as const) {
        const { body } = await ask(what, { ids, ...command });
        expect(body.undo).toEqual(expect.any(String));
        const { row, log } = await endAfterFirst(server, body.task.id, end);
        expect([what, row.state, row.result]).toEqual([what, end, { what, changed: 200, failed: 0, undo: body.undo }]);
        expect(log).toEqual([
          "Changed 200 image(s).",
          end === "failed" ? "The disk is full." : "The task was cancelled.",
        ]);
        const back = await ask(what === "delete" ? "restore" : "undo", { undo: body.undo });
        expect([what, back.body]).toMatchObject([what, { changed: 200, failed: 0, task: null }]);
      }
    expect(await pathsOf("done=false&assigned=false")).toHaveLength(450);
    expect(await pathsOf(`category_ids__in=${category}&strict_categories=true`)).toEqual([]);
  });

  it("keeps the count of a task that is cancelled after its worker was killed", async () => {
    const ids = await seedMany(450);
    const { body } = await ask("mark", { ids, done: true });
    const { row } = await endAfterFirst(server, body.task.id, "failed");
    await server.db
      .updateTable("tasks")
      .set({ state: "queued", finished_at: null, cancel_requested: true })
      .where("id", "=", body.task.id)
      .execute();
    const again = await runTask(server.db, taskKinds, server.services, body.task.id);
    expect(again.row).toMatchObject({ state: "cancelled", result: row.result });
  });

  it("offers no undo of a restoration or of an undo that continues as a task", async () => {
    const ids = await seedMany(210);
    const { body } = await ask("delete", { ids });
    await runTask(server.db, taskKinds, server.services, body.task.id);
    const restored = await ask("restore", { undo: body.undo });
    expect(restored.body).toMatchObject({ task: { id: expect.any(Number) }, undo: null });
    await runTask(server.db, taskKinds, server.services, restored.body.task.id);
  });

  it("undoes a move to the original folders, and skips images changed since", async () => {
    const [a, b, c, d, e, top] = [
      await withFile("one/a.jpg"),
      await withFile("two/b.jpg"),
      await withFile("two/c.jpg"),
      await withFile("two/d.jpg"),
      await withFile("all/e.jpg"),
      await withFile("top.jpg"),
    ];
    const { body } = await ask("move", { ids: [a, b, c, d, e, top], folder: "all" });
    expect(body).toMatchObject({ changed: 6, undo: expect.any(String) });
    await ask("move", { ids: [b], folder: "elsewhere" }, bob);
    await ask("delete", { ids: [c] });
    await withFile("two/d.jpg");
    const back = await ask("undo", { undo: body.undo });
    expect(back.body).toMatchObject({ changed: 2, failed: 3 });
    expect(back.body.failures).toEqual([
      { id: b, message: "It has since been moved to elsewhere/b.jpg." },
      { id: c, message: "all/c.jpg is in the trash." },
      { id: d, message: "There is already an image at two/d.jpg." },
    ]);
    expect(await pathsOf()).toEqual(["all/d.jpg", "all/e.jpg", "elsewhere/b.jpg", "one/a.jpg", "top.jpg", "two/d.jpg"]);
    expect(readFileSync(place("one/a.jpg"), "utf8")).toBe("bytes of one/a.jpg");
    expect(await rowOf(a)).toMatchObject({ folder: "one/" });
    expect((await ask("undo", { undo: body.undo })).body).toMatchObject({ changed: 2, failed: 3 });
  });

  it("restores labels and marks to what each image had, except those that another user has set since", async () => {
    const [one, two] = [await seedCategory(server.db, ann.id), await seedCategory(server.db, ann.id)];
    const [a = 0, b = 0, c = 0] = await seed("a.jpg", "b.jpg", "c.jpg");
    await ask("label", { ids: [a], add: [two] });
    await ask("mark", { ids: [a], done: true });
    const labelled = await ask("label", { ids: [a, b, c], add: [one], remove: [two] });
    const marked = await ask("mark", { filter: {}, done: true });
    await ask("label", { ids: [c], add: [two] }, bob);
    expect((await ask("undo", { undo: labelled.body.undo })).body).toMatchObject({
      changed: 2,
      failures: [{ id: c, message: "The labels of c.jpg have changed since." }],
    });
    expect((await rowOf(a)).labels).toEqual([two]);
    expect(await rowOf(b)).toMatchObject({ labels: [], revision: 4, reload_revision: 4 });
    expect((await rowOf(c)).labels).toEqual([one, two]);
    expect((await ask("undo", { undo: marked.body.undo })).body).toMatchObject({ changed: 2, failed: 0 });
    expect(await pathsOf("done=true")).toEqual(["a.jpg"]);
  });

  it("lets no user undo another user's change, and offers no undo if nothing was changed", async () => {
    const [a] = await seed("a.jpg");
    const { body } = await ask("mark", { ids: [a], done: true });
    expect((await ask("mark", { ids: [a], done: true })).body).toMatchObject({ changed: 1, undo: null });
    for (const by of [bob, ann]) {
      const answer = await ask("undo", { undo: by === ann ? crypto.randomUUID() : body.undo }, by);
      expect(answer.body).toMatchObject({ changed: 0, failed: 0, undo: null });
    }
    const other = (await ann.post("dataset/", { name: `another ${names}` })).body.id;
    await ann.post(`dataset/${other}/images/undo`, { undo: body.undo });
    expect(await pathsOf("done=true")).toEqual(["a.jpg"]);
    expect((await ask("undo", { undo: body.undo }, eve)).status).toBe(404);
    expect((await ask("undo", { undo: "now" })).status).toBe(400);
  });

  it("deletes the undo data after a day", async () => {
    const [a] = await seed("a.jpg");
    const { body } = await ask("mark", { ids: [a], done: true });
    await sql`update images_before set made_at = now() - interval '25 hours'`.execute(server.db);
    await ask("mark", { ids: [a], done: true });
    expect((await ask("undo", { undo: body.undo })).body).toMatchObject({ changed: 0, failed: 0 });
  });

  it("executes a repeated command once, like a task whose worker was killed", async () => {
    const ids = await seedMany(210);
    const { body } = await ask("delete", { ids });
    await runTask(server.db, taskKinds, server.services, body.task.id);
    await server.db
      .updateTable("tasks")
      .set({ state: "queued", finished_at: null })
      .where("id", "=", body.task.id)
      .execute();
    const again = await runTask(server.db, taskKinds, server.services, body.task.id);
    expect(again.row).toMatchObject({ state: "done", result: { changed: 210, failed: 0 } });
    expect(await pathsOf()).toEqual([]);
  });

  it("assigns no image to a user who was removed while the task waited, and reports it", async () => {
    const ids = await seedMany(202);
    const { body } = await ask("assign", { ids, users: [bob.username, ann.username] });
    await ann.post(`dataset/${dataset}/share`, { remove: [bob.username] });
    const { row } = await runTask(server.db, taskKinds, server.services, body.task.id);
    expect(row).toMatchObject({ state: "done", result: { changed: 101, failed: 101 } });
    const assigned = await server.db.selectFrom("images").select("assignee_id").where("id", "in", ids).execute();
    expect(new Set(assigned.map(({ assignee_id }) => assignee_id))).toEqual(new Set([ann.id, null]));
  });

  it("counts the images that were restored before a restart of the server", async () => {
    const ids = await seedMany(210);
    const deleted = (await ask("delete", { ids })).body;
    await runTask(server.db, taskKinds, server.services, deleted.task.id);
    const { body } = await ask("restore", { undo: deleted.undo });
    await stopAtFirstProgress(server, "change", body.task.id);
    const { row } = await runTask(server.db, taskKinds, server.services, body.task.id);
    expect(row).toMatchObject({ state: "done", result: { changed: 210, failed: 0 } });
  });
});

/** Runs a task that is cancelled by its user, or fails, after its first batch of images. */
async function endAfterFirst({ db, services }: TestServer, id: number, end: "cancelled" | "failed") {
  const task = await claimTask(db, "worker", ["change"]);
  if (task?.id !== id) throw new Error(`not the task ${id}`);
  const run = startRun(
    task,
    { id, worker: "worker", attempt: task.attempts },
    (payload, helpers) =>
      taskKinds.change(payload, {
        ...helpers,
        progress(percent) {
          helpers.progress(percent);
          if (end === "failed") throw new Error("The disk is full.");
          run.applyHeartbeat({ cancel_requested: true });
        },
      }),
    { db, extra: services, announce: () => undefined },
  );
  await run.ended;
  const row = await db.selectFrom("tasks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const lines = await db.selectFrom("task_logs").select("text").where("task_id", "=", id).orderBy("line").execute();
  return { row, log: lines.map(({ text }) => text) };
}
