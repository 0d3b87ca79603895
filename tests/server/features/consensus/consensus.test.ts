import { existsSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { log } from "../../../../server/base/log";
import { taskKinds } from "../../../../server/tasks";
import type { AnnotatorFigures, ConsensusImage } from "../../../../shared/api/datasets/consensus";
import { describeOnDatabases, type TestDatabase } from "../../../support/databases";
import { runTask } from "../../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../../support/server";
import { cookieOfClient, openSocket, waitForConnection } from "../../../support/sockets";
import { stopAtFirstProgress } from "../../../support/stopTask";
import type { Fixture } from "../../rights/fixture";
import { matrix } from "../../rights/matrix";
import { pathOf } from "../../rights/requests";

const [WIDTH, HEIGHT] = [400, 300];

// These tests provoke errors, which would be logged.
log.level = "silent";

describeOnDatabases("consensus", (open) => {
  let database: TestDatabase;
  let server: TestServer;
  let owner: TestUser;
  let ann: TestUser;
  let bob: TestUser;
  let cat: number;
  let dog: number;
  let datasetId: number;
  let datasetName: string;
  let number = 0;

  beforeAll(async () => {
    database = await open();
    server = await startServer(database);
    owner = await server.user("owner");
    ann = await server.user("ann");
    bob = await server.user("bob");
    cat = (await owner.post("category/", { name: "cat" })).body.id;
    dog = (await owner.post("category/", { name: "dog" })).body.id;
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });
  beforeEach(async () => {
    datasetName = `consensus ${++number}`;
    datasetId = (await owner.post("dataset/", { name: datasetName, categories: ["cat", "dog"] })).body.id;
    await owner.post(`dataset/${datasetId}/share`, { users: ["ann", "bob"] });
  });

  async function addImage(): Promise<number> {
    const background = `#${String(++number).padStart(6, "3")}`;
    const file = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background } })
      .jpeg()
      .toBuffer();
    const body = new FormData();
    body.set("files", new Blob([new Uint8Array(file)]), `${number}.jpg`);
    const sent = await owner.request("POST", `dataset/${datasetId}/upload`, { body });
    expect(sent.status, sent.text).toBe(200);
    return sent.body.files[0].id;
  }

  const path = (more = "") => `dataset/${datasetId}/consensus${more}`;

  async function give(ids: number[], users = ["ann", "bob"]) {
    const { status, body: task, text } = await owner.post(path("/give"), { ids, users });
    expect(status, text).toBe(200);
    const { row, log: lines } = await runTask(server.db, taskKinds, server.services, task.id);
    expect(row.state, lines.join("\n")).toBe("done");
    return row.result;
  }

  /** Returns the dataset with a user's copies. */
  async function copiesOf(user: TestUser): Promise<number> {
    const { body } = await user.get("dataset/");
    return body.find(({ name }: { name: string }) => name === `${datasetName} (copies for ${user.username})`)?.id;
  }

  /** Returns the id of a user's copy of an image, which has the image's name. */
  async function copyOf(user: TestUser, imageId: number): Promise<number> {
    const { file_name } = await server.db
      .selectFrom("images")
      .select("file_name")
      .where("id", "=", imageId)
      .executeTakeFirstOrThrow();
    const { body } = await user.get(`dataset/${await copiesOf(user)}/data`);
    return body.images.find((image: { file_name: string }) => image.file_name === file_name).id;
  }

  type Box = [x: number, y: number, width: number, height: number];

  async function draw(user: TestUser, image_id: number, category_id: number, [x, y, w, h]: Box): Promise<number> {
    const segmentation = [[x, y, x + w, y, x + w, y + h, x, y + h]];
    const { status, body, text } = await user.post("annotation/", { image_id, category_id, segmentation });
    expect(status, text).toBe(200);
    return body.id;
  }

  async function finish(user: TestUser, ...ids: number[]): Promise<void> {
    const { body } = await user.post(`dataset/${await copiesOf(user)}/images/mark`, { ids, done: true });
    expect(body).toMatchObject({ changed: ids.length, failed: 0 });
  }

  const figures = async () => (await owner.get(path())).body;
  const images = async (query = ""): Promise<ConsensusImage[]> =>
    (await owner.get(path(`/images${query}`))).body.images;
  const annotator = async (name: string): Promise<AnnotatorFigures> =>
    (await figures()).annotators.find(({ username }: { username: string }) => username === name);
  const detail = async (id: number) => (await owner.get(`image/${id}/consensus`)).body;
  const drawnOn = async (id: number) => (await owner.get(`annotator/data/${id}?shape=rings`)).body;
  const annotationsOn = async (id: number) => {
    const { categories } = await drawnOn(id);
    return categories.flatMap(({ annotations }: { annotations: object[] }) => annotations);
  };

  describe("giving images", () => {
    it("stores the known truth with the copies, and none if it is cancelled before it has started", async () => {
      const image = await addImage();
      const start = () => owner.post(path("/give"), { ids: [image], users: ["ann"], is_truth: true });
      const cancelled = (await start()).body.id;
      expect((await owner.post(`tasks/${cancelled}/cancel`, {})).status).toBe(200);
      expect(await figures()).toMatchObject({ images: 0, truths: 0 });
      const { row } = await runTask(server.db, taskKinds, server.services, (await start()).body.id);
      expect(row.result).toMatchObject({ given: 1 });
      expect(await figures()).toMatchObject({ images: 1, truths: 1 });
    });

    it("gives each user copies without annotations, in a dataset of their own with the same categories", async () => {
      const [first, second] = [await addImage(), await addImage()];
      await draw(owner, first, cat, [10, 10, 50, 50]);
      expect(await give([first, second])).toEqual({ what: "giveImages", given: 4, kept: 0, failed: 0 });
      const { body } = await ann.get(`dataset/${await copiesOf(ann)}/data`);
      expect(body).toMatchObject({ total: 2, dataset: { owner: null, categories: [cat, dog] } });
      expect(body.images.map((image: { num_annotations: number }) => image.num_annotations)).toEqual([0, 0]);
      const [own, others] = [await copyOf(ann, first), await copyOf(bob, first)];
      expect(new Set([first, own, others]).size).toBe(3);
      const file = await ann.fetch("GET", `image/${own}?original=true`);
      const original = await owner.fetch("GET", `image/${first}?original=true`);
      expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(await original.arrayBuffer()));
    });

    it("shows copies among the annotator's own work", async () => {
      await give([await addImage(), await addImage()]);
      const id = await copiesOf(ann);
      const { datasets } = (await ann.get("work")).body;
      expect(datasets.find((dataset: { id: number }) => dataset.id === id).mine).toMatchObject({ new: 2, accepted: 0 });
      const own = await copyOf(ann, (await owner.get(`dataset/${datasetId}/data`)).body.images[0].id);
      await finish(ann, own);
      const after = (await ann.get("work")).body.datasets.find((dataset: { id: number }) => dataset.id === id);
      expect(after.mine).toMatchObject({ new: 1, accepted: 1 });
    });

    it("keeps copies that a user has, and brings those back that were taken back, with their annotations", async () => {
      const [first, second] = [await addImage(), await addImage()];
      await give([first]);
      const copy = await copyOf(ann, first);
      await draw(ann, copy, cat, [10, 10, 50, 50]);
      expect(await give([first, second])).toMatchObject({ given: 2, kept: 2 });
      expect((await owner.post(path("/take-back"), { ids: [first, second] })).body).toEqual({ taken: 4 });
      expect((await ann.get(`image/${copy}`)).status).toBe(404);
      expect((await figures()).images).toBe(0);
      expect(await give([first], ["ann"])).toMatchObject({ given: 1, kept: 0 });
      expect(await copyOf(ann, first)).toBe(copy);
      expect(await detail(first)).toMatchObject({
        annotations: [{ category_id: cat }],
        annotators: [{ username: "ann" }],
      });
    });

    it("counts the copies that were given before a restart of the server", async () => {
      const ids = [await addImage(), await addImage()];
      const { body: task } = await owner.post(path("/give"), { ids, users: ["ann", "bob"] });
      await stopAtFirstProgress(server, "giveImages", task.id);
      const { row } = await runTask(server.db, taskKinds, server.services, task.id);
      expect(row.result).toEqual({ what: "giveImages", given: 4, kept: 0, failed: 0 });
    });

    it("assigns a copy that nobody was assigned to when it is given again", async () => {
      const image = await addImage();
      await give([image], ["ann"]);
      const copy = await copyOf(ann, image);
      await server.db.updateTable("images").set({ assignee_id: null }).where("id", "=", copy).execute();
      expect(await give([image], ["ann"])).toMatchObject({ given: 0, kept: 1 });
      const { assignee_id } = await server.db
        .selectFrom("images")
        .select("assignee_id")
        .where("id", "=", copy)
        .executeTakeFirstOrThrow();
      expect(assignee_id).toBe(ann.id);
    });

    it("takes copies back from one annotator alone", async () => {
      const image = await addImage();
      await give([image]);
      const { id } = await annotator("bob");
      expect((await owner.post(path("/take-back"), { ids: [image], annotators: [id] })).body).toEqual({ taken: 1 });
      expect((await detail(image)).annotators).toMatchObject([{ username: "ann" }]);
    });

    it("refuses unknown users, images of other datasets and copies of copies", async () => {
      const image = await addImage();
      expect((await owner.post(path("/give"), { ids: [image], users: ["ann", "nobody"] })).body.message).toBe(
        "No such user: nobody.",
      );
      const mine = datasetId;
      datasetId = (await owner.post("dataset/", { name: "another" })).body.id;
      expect((await owner.post(path("/give"), { ids: [image], users: ["ann"] })).status).toBe(400);
      datasetId = mine;
      await give([image], ["ann"]);
      const boss = await server.user(`boss ${number}`, { admin: true });
      const refused = await boss.post(`dataset/${await copiesOf(ann)}/consensus/give`, { filter: {}, users: ["bob"] });
      expect(refused.body.message).toMatch(/copies/);
    });

    it("lists copies neither for admins nor for the owner, and not among datasets without an owner", async () => {
      await give([await addImage()], ["ann"]);
      const copies = await copiesOf(ann);
      const boss = await server.user(`boss ${++number}`, { admin: true });
      for (const user of [boss, owner]) {
        const lists = [
          await user.get("dataset/"),
          await user.get("dataset/data?limit=1000"),
          await boss.get("admin/datasets/orphans"),
        ];
        for (const { body, text } of lists) {
          expect(JSON.stringify(body ?? text)).not.toContain("(copies for");
          expect(JSON.stringify(body ?? text)).not.toContain(`"id":${copies},`);
        }
      }
    });

    it("tells maintainers alone that a dataset has copies", async () => {
      const image = await addImage();
      const flagFor = async (user: TestUser, id = datasetId) =>
        (await user.get(`dataset/${id}/data`)).body.dataset.has_consensus;
      expect([await flagFor(owner), await flagFor(ann)]).toEqual([false, undefined]);
      await give([image]);
      expect([await flagFor(owner), await flagFor(ann)]).toEqual([true, undefined]);
      expect(await flagFor(ann, await copiesOf(ann))).toBeUndefined();
    });

    it("counts copies nowhere in the dataset", async () => {
      const image = await addImage();
      await draw(owner, image, dog, [10, 10, 50, 50]);
      await give([image]);
      await draw(ann, await copyOf(ann, image), cat, [10, 10, 50, 50]);
      const { body } = await owner.get(`dataset/${datasetId}/data`);
      expect(body).toMatchObject({
        total: 1,
        images: [{ id: image, num_annotations: 1 }],
        dataset: { numberImages: 1 },
      });
      const coco = await owner.get(`dataset/${datasetId}/coco`);
      expect(coco.body).toMatchObject({ images: [{ id: image }], annotations: [{ category_id: dog }] });
    });

    it("moves copies to the trash with their dataset, restores them with it and deletes them for good with it", async () => {
      await give([await addImage()]);
      const copies = await copiesOf(ann);
      await owner.delete(`dataset/${datasetId}`);
      expect((await ann.get(`dataset/${copies}/data`)).status).toBe(404);
      await owner.post(`undo/?id=${datasetId}&instance=dataset`);
      expect((await ann.get(`dataset/${copies}/data`)).status).toBe(200);
      const { folder } = await server.db
        .selectFrom("datasets")
        .select("folder")
        .where("id", "=", copies)
        .executeTakeFirstOrThrow();
      expect(existsSync(join(server.env.DATASETS_DIR, folder))).toBe(true);
      await owner.delete(`dataset/${datasetId}`);
      expect((await owner.delete(`undo/?id=${datasetId}&instance=dataset`)).status).toBe(200);
      const purges = await server.db.selectFrom("tasks").select("id").where("kind", "=", "purge").execute();
      for (const { id } of purges) await runTask(server.db, taskKinds, server.services, id);
      const left = await server.db.selectFrom("datasets").select("id").where("id", "in", [datasetId, copies]).execute();
      expect(left).toEqual([]);
      expect(existsSync(join(server.env.DATASETS_DIR, folder))).toBe(false);
    });
  });

  describe("the work of an annotator", () => {
    let image: number;
    let own: number;
    let copies: number;
    beforeEach(async () => {
      image = await addImage();
      await draw(owner, image, cat, [10, 10, 50, 50]);
      await give([image]);
      await owner.post(path("/truth"), { ids: [image], is_truth: true });
      own = await copyOf(ann, image);
      copies = await copiesOf(ann);
      await draw(ann, own, dog, [100, 100, 50, 50]);
    });

    it("is absent for other annotators and the owner in every call of the API", async () => {
      const { uuid } = await server.db
        .selectFrom("annotations")
        .select("uuid")
        .where("image_id", "=", own)
        .executeTakeFirstOrThrow();
      const { id: annotation } = await server.db
        .selectFrom("annotations")
        .select("id")
        .where("image_id", "=", own)
        .executeTakeFirstOrThrow();
      const fixture = { dataset: copies, image: own, annotation, category: cat, comment: uuid } as Fixture;
      const named = matrix.filter(({ call, request }) => {
        const seen = new Set<string | symbol>();
        const watched = new Proxy(fixture, {
          get(target, name) {
            seen.add(name);
            return Reflect.get(target, name);
          },
        });
        request?.(watched);
        const others = [...seen].filter((name) => !["dataset", "image", "annotation"].includes(String(name)));
        return seen.size > 0 && others.length === 0 && call.access === "user" && !call.path.startsWith("/admin");
      });
      expect(named.length).toBeGreaterThan(40);
      for (const user of [bob, owner])
        for (const { call, request } of named) {
          const { path: params = {}, query = "", ...more } = request?.(fixture) ?? {};
          const body = call.method === "GET" ? {} : { json: more.body ? undefined : {}, ...more };
          const { status, text } = await user.request(call.method, `${pathOf(call, params)}${query}`, body);
          if (call.path === "/annotator/edits") expect(text, call.path).toContain("image_not_found");
          else expect(status, `${user.username} ${call.method} ${call.path} ${text.slice(0, 100)}`).toBe(404);
        }
      expect((await ann.get(`annotator/data/${own}`)).status).toBe(200);
    });

    it("is in no list of another annotator", async () => {
      const lists = [
        "dataset/",
        "dataset/data",
        "image/?per_page=1000",
        `dataset/${datasetId}/data`,
        "tasks/",
        "undo/list/",
      ];
      for (const list of [...lists, `dataset/${datasetId}/manifest`, `dataset/${datasetId}/stats`]) {
        const { text } = await bob.get(list);
        expect(text, list).not.toContain("(copies for ann)");
        expect(text, list).not.toContain(`"id":${own},`);
      }
    });

    it("sends no event to another annotator", async () => {
      const socket = openSocket(server.url, cookieOfClient(bob));
      await waitForConnection(socket);
      const events: string[] = [];
      socket.onAny((name) => events.push(name));
      socket.emit("annotating", { image_id: own, active: true });
      socket.emit("listing", { dataset_id: copies });
      await draw(ann, own, dog, [200, 100, 50, 50]);
      await new Promise((later) => setTimeout(later, 200));
      socket.close();
      expect(events.filter((name) => name !== "presence")).toEqual([]);
    });

    it("tells the annotator nothing of originals, other annotators and known truth", async () => {
      const calls = [
        `annotator/data/${own}`,
        `annotator/data/${own}?shape=rings`,
        `dataset/${copies}`,
        `dataset/${copies}/data`,
      ];
      for (const call of [...calls, `dataset/${copies}/manifest`, `dataset/${copies}/users`, "dataset/data"]) {
        const { status, text } = await ann.get(call);
        expect([200, 404], call).toContain(status);
        expect(text, call).not.toMatch(/truth|original_id|copy_of|consensus_|bob\)/);
      }
      for (const call of [path(), path("/images"), `image/${image}/consensus`])
        expect((await ann.get(call)).status, call).toBe(403);
      expect((await ann.get(`dataset/${copies}/consensus`)).status).toBe(403);
      expect((await ann.get(`image/${own}/consensus`)).status).toBe(403);
    });
  });

  describe("agreement", () => {
    it("is computed from copies that are done, as computed by hand", async () => {
      const [first, second] = [await addImage(), await addImage()];
      await give([first, second]);
      const [a, b] = [await copyOf(ann, first), await copyOf(bob, first)];
      // 100 x 100, moved by 20: 8,000 of 12,000 pixels. The dogs are equal, and Ann has one more. One cat of Bob's is
      // Ann's dog.
      await draw(ann, a, cat, [0, 0, 100, 100]);
      await draw(bob, b, cat, [20, 0, 100, 100]);
      await draw(ann, a, dog, [200, 0, 50, 50]);
      await draw(bob, b, dog, [200, 0, 50, 50]);
      await draw(ann, a, dog, [300, 200, 40, 40]);
      await draw(ann, a, dog, [0, 200, 40, 40]);
      await draw(bob, b, cat, [0, 200, 40, 40]);
      await finish(ann, a);
      expect(await figures()).toMatchObject({ images: 2, finished: 0, pending: 0, agreement: { f1: null } });
      await finish(bob, b);
      const found = await figures();
      expect(found).toMatchObject({ images: 2, finished: 1, truths: 0, pending: 0 });
      // Matched: a cat and a dog. Single: two dogs of Ann's, and a cat of Bob's.
      expect(found.agreement).toMatchObject({ matched: 2, single: 3 });
      expect(found.agreement.f1).toBeCloseTo(4 / 7, 10);
      expect(found.agreement.overlap).toBeCloseTo((2 / 3 + 1) / 2, 10);
      expect(found.agreement.quality).toBeCloseTo((2 / 3 + 1) / 3.5, 10);
      expect(found.categories).toMatchObject([
        { name: "cat", agreement: { matched: 1, single: 1 } },
        { name: "dog", agreement: { matched: 1, single: 2, f1: 0.5, overlap: 1, quality: 0.5 } },
      ]);
      expect(found.categories[0].agreement.f1).toBeCloseTo(2 / 3, 10);
      // Three objects that both have found: cat and cat, dog and dog, dog and cat. 2/3 equal; by chance (1 x 2 + 2 x 1)
      // / 9.
      expect(found.pairs).toMatchObject([{ images: 1, agreement: { matched: 2, single: 3 } }]);
      expect(found.pairs[0].kappa).toBeCloseTo((2 / 3 - 4 / 9) / (1 - 4 / 9), 10);
      const today = new Date().toISOString().slice(0, 10);
      expect(found.annotators).toMatchObject([
        {
          username: "ann",
          given: 2,
          finished: 1,
          score: null,
          days: [{ day: today, images: 1, matched: 2, single: 3 }],
        },
        { username: "bob", given: 2, finished: 1, score: null },
      ]);
      const [worst, unfinished] = await images();
      expect(worst).toMatchObject({ id: first, is_truth: false, merged_at: null });
      expect(worst!.f1).toBeCloseTo(4 / 7, 10);
      expect(unfinished).toMatchObject({ id: second, f1: null, copies: [{ f1: null }, { f1: null }] });
    });

    it("follows the changes of a copy", async () => {
      const image = await addImage();
      await give([image]);
      const [a, b] = [await copyOf(ann, image), await copyOf(bob, image)];
      await draw(ann, a, cat, [0, 0, 100, 100]);
      await finish(ann, a);
      await finish(bob, b);
      expect((await figures()).agreement).toMatchObject({ matched: 0, single: 1, f1: 0 });
      await draw(bob, b, cat, [0, 0, 100, 100]);
      expect((await figures()).agreement).toMatchObject({ matched: 1, single: 0, f1: 1, overlap: 1 });
    });

    it("is the mean of all pairs of three annotators", async () => {
      const eve = await server.user(`eve ${number}`);
      const image = await addImage();
      await give([image], ["ann", "bob", eve.username]);
      for (const [user, box] of [
        [ann, [0, 0, 100, 100]],
        [bob, [0, 0, 100, 100]],
        [eve, [200, 0, 100, 100]],
      ] as [TestUser, Box][]) {
        const copy = await copyOf(user, image);
        await draw(user, copy, cat, box);
        await finish(user, copy);
      }
      const [listed] = await images();
      expect(listed!.f1).toBeCloseTo(1 / 3, 10);
      expect(listed!.copies.map(({ f1 }) => f1)).toEqual([0.5, 0.5, 0]);
      expect((await figures()).pairs.map(({ agreement }: { agreement: { f1: number } }) => agreement.f1)).toEqual([
        1, 0, 0,
      ]);
    });

    it("with a known truth is a score, which is no agreement between annotators", async () => {
      const image = await addImage();
      await draw(owner, image, cat, [0, 0, 100, 100]);
      await draw(owner, image, dog, [200, 0, 50, 50]);
      await give([image]);
      await owner.post(path("/truth"), { ids: [image], is_truth: true });
      const [a, b] = [await copyOf(ann, image), await copyOf(bob, image)];
      await draw(ann, a, cat, [0, 0, 100, 80]);
      await draw(ann, a, dog, [200, 0, 50, 50]);
      await draw(ann, a, dog, [300, 200, 20, 20]);
      await draw(bob, b, cat, [60, 60, 100, 100]);
      await finish(ann, a);
      await finish(bob, b);
      const found = await figures();
      expect(found).toMatchObject({ truths: 1, agreement: { matched: 0, single: 0, f1: null }, pairs: [] });
      expect((await annotator("ann")).score).toMatchObject({
        images: 1,
        matched: 2,
        single: 1,
        recall: 1,
        f1: 0.8,
        overlap: 0.9,
      });
      expect((await annotator("ann")).score!.precision).toBeCloseTo(2 / 3, 10);
      expect((await annotator("bob")).score).toMatchObject({ images: 1, matched: 0, single: 3, recall: 0, f1: 0 });
      expect(await images()).toMatchObject([{ is_truth: true, copies: [{ f1: 0.8 }, { f1: 0 }] }]);
      const { annotations, objects } = await detail(image);
      expect(annotations.filter((each: { annotator: number | null }) => each.annotator === null)).toHaveLength(2);
      expect(objects[0]).toMatchObject({ overlap: 0.8 });
      await owner.post(path("/truth"), { ids: [image], is_truth: false });
      expect(await figures()).toMatchObject({ truths: 0, pairs: [{ images: 1 }] });
    });
  });

  describe("merging", () => {
    let image: number;
    let revisions: { copy_id: number; revision: number }[];
    let ofAnn: number[];
    let ofBob: number[];
    beforeEach(async () => {
      image = await addImage();
      await give([image]);
      const [a, b] = [await copyOf(ann, image), await copyOf(bob, image)];
      ofAnn = [await draw(ann, a, cat, [40, 40, 80, 80]), await draw(ann, a, dog, [200, 0, 50, 50])];
      ofBob = [await draw(bob, b, cat, [50, 50, 60, 60]), await draw(bob, b, cat, [200, 0, 50, 40])];
      revisions = (await detail(image)).annotators;
    });

    const merge = (objects: object[], more: object = {}) =>
      owner.post(`image/${image}/consensus/merge`, { objects, replace: false, revisions, ...more });

    it("shows objects whatever their categories, with the outlines of each annotator", async () => {
      const { objects, annotations, categories } = await detail(image);
      expect(objects).toEqual([
        { annotations: [ofAnn[0], ofBob[0]], overlap: 3600 / 6400 },
        { annotations: [ofAnn[1], ofBob[1]], overlap: 0.8 },
      ]);
      expect(annotations.map(({ bbox }: { bbox: Box }) => bbox)).toContainEqual([200, 0, 50, 40]);
      expect(categories).toMatchObject([{ name: "cat" }, { name: "dog" }]);
    });

    it("writes one annotator's outline, the union and the mean into the image as edits of the maintainer", async () => {
      expect((await merge([{ annotations: [ofAnn[0], ofBob[0]], how: "mean" }])).body).toMatchObject({
        created: 1,
        deleted: 0,
      });
      expect((await merge([{ annotations: [ofBob[1]], how: "one" }])).body).toMatchObject({ created: 1, deleted: 0 });
      expect((await merge([{ annotations: [ofAnn[1], ofBob[1]], how: "union" }])).body).toMatchObject({
        created: 1,
        deleted: 0,
      });
      const drawn = await annotationsOn(image);
      expect(drawn).toMatchObject([
        { category_id: cat, creator: "owner", bbox: [45, 45, 70, 70] },
        { category_id: cat, area: 2000, bbox: [200, 0, 50, 40] },
        { category_id: dog, area: 2500, bbox: [200, 0, 50, 50] },
      ]);
      const history = (await owner.get(`annotator/history/${image}`)).text;
      expect(history).toContain("owner");
      expect((await images())[0]!.merged_at).not.toBeNull();
    });

    it("replaces the image's annotations if asked, and is undone as a whole", async () => {
      const before = await draw(owner, image, dog, [300, 200, 30, 30]);
      const objects = [{ annotations: [ofAnn[0], ofBob[0]], how: "union" }];
      expect((await merge(objects, { replace: true })).body).toMatchObject({ created: 1, deleted: 1 });
      expect(await annotationsOn(image)).toMatchObject([{ category_id: cat, bbox: [40, 40, 80, 80] }]);
      expect((await owner.post(`image/${image}/consensus/undo`)).body).toEqual({ deleted: 1, restored: 1 });
      expect(await annotationsOn(image)).toMatchObject([{ id: before, category_id: dog }]);
      expect((await owner.post(`image/${image}/consensus/undo`)).body).toEqual({ deleted: 0, restored: 0 });
      expect((await images())[0]!.merged_at).toBeNull();
    });

    it("replaces none that an import is still storing", async () => {
      const replaced = await draw(owner, image, dog, [300, 200, 30, 30]);
      await server.db
        .insertInto("annotations")
        .values({ image_id: image, category_id: dog, isbbox: true, color: "#000000", visible: false })
        .execute();
      const merged = await merge([{ annotations: [ofAnn[0]], how: "one" }], { replace: true });
      expect(merged, merged.text).toMatchObject({ status: 200, body: { created: 1, deleted: 1 } });
      const inTrash = server.db.selectFrom("annotations").select("id").where("deleted_at", "is not", null);
      expect(await inTrash.where("image_id", "=", image).execute()).toEqual([{ id: replaced }]);
    });

    it("keeps merged annotations at undo that were changed since", async () => {
      await merge([
        { annotations: [ofAnn[0]], how: "one" },
        { annotations: [ofAnn[1]], how: "one" },
      ]);
      const [first] = await annotationsOn(image);
      expect((await owner.put(`annotation/${first.id}`, { category_id: dog })).status).toBe(200);
      expect((await owner.post(`image/${image}/consensus/undo`)).body).toEqual({ deleted: 1, restored: 0 });
      expect(await annotationsOn(image)).toMatchObject([{ id: first.id }]);
    });

    it("is refused if a copy has changed since the maintainer saw it, and for annotations of other images", async () => {
      const other = await draw(owner, await addImage(), cat, [0, 0, 9, 9]);
      expect((await merge([{ annotations: [other], how: "one" }])).status).toBe(400);
      await draw(bob, await copyOf(bob, image), cat, [300, 0, 20, 20]);
      const refused = await merge([{ annotations: [ofAnn[0]], how: "one" }]);
      expect(refused).toMatchObject({ status: 409, body: { code: "revision_changed" } });
      expect(await annotationsOn(image)).toEqual([]);
    });

    it("is refused if the image has changed since the maintainer saw it: nothing unseen is replaced, nothing merged twice", async () => {
      const objects = [{ annotations: [ofAnn[0]], how: "one" }];
      const seen = { image_revision: (await detail(image)).image.revision };
      const unseen = await draw(bob, image, dog, [300, 200, 30, 30]);
      const refused = await merge(objects, { replace: true, ...seen });
      expect(refused).toMatchObject({ status: 409, body: { code: "revision_changed" } });
      expect(await annotationsOn(image)).toMatchObject([{ id: unseen }]);
      const again = { image_revision: (await detail(image)).image.revision };
      const both = await Promise.all([merge(objects, again), merge(objects, again)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await annotationsOn(image)).toHaveLength(2);
    });

    it("is undone only if it is still the last one", async () => {
      const undo = (merged_at: string) => owner.post(`image/${image}/consensus/undo`, { merged_at });
      const { body: first } = await merge([{ annotations: [ofAnn[0]], how: "one" }]);
      const { body: second } = await merge([{ annotations: [ofAnn[1]], how: "one" }]);
      expect((await detail(image)).image.merged_at).toBe(second.merged_at);
      expect(await undo(first.merged_at)).toMatchObject({ status: 409, body: { code: "revision_changed" } });
      expect(await annotationsOn(image)).toHaveLength(2);
      expect((await undo(second.merged_at)).body).toEqual({ deleted: 1, restored: 0 });
      expect((await undo(second.merged_at)).body).toEqual({ deleted: 0, restored: 0 });
      expect(await annotationsOn(image)).toHaveLength(1);
    });
  });
});
