import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { renewOpened } from "../../../../server/features/assignment/leases";
import { rankedImages } from "../../../../server/features/assignment/queueOrder";
import { describeOnBothDatabases } from "../../../support/databases";
import { eventually } from "../../../support/eventually";
import { seedAnnotation, seedCategory, seedImage } from "../../../support/factories";
import { seededRandom } from "../../../support/seededRandom";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

const CALLERS = 20;

/** Returns images in farthest-point order from the labelled ones: all distances at each step. */
function greedy(places: ReadonlyMap<number, [number, number]>, labelled: readonly number[]): number[] {
  const distance = (a: number, b: number) => {
    const [from, to] = [places.get(a)!, places.get(b)!];
    return Math.hypot(from[0] - to[0], from[1] - to[1]);
  };
  const near = [...labelled];
  const isLeft = (id: number) => !near.includes(id);
  const far = (id: number) => Math.min(...near.map((other) => distance(id, other)));
  for (let left = [...places.keys()].filter(isLeft); left.length > 0; left = left.filter(isLeft))
    near.push(left.reduce((best, id) => (far(id) > far(best) ? id : best)));
  return near.slice(labelled.length);
}

describeOnBothDatabases("queue of a dataset", (open, kind) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let cleo: TestUser;
  let eve: TestUser;
  let dataset: number;
  /** Ids of a.jpg, b.jpg and c.jpg. */
  let images: number[];
  let names = 0;

  beforeAll(async () => {
    server = await startServer(await open());
    [ann, bob] = [await server.user("ann"), await server.user("bob")];
    [cleo, eve] = [await server.user("cleo"), await server.user("eve")];
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    dataset = (await ann.post("dataset/", { name: `queue ${++names}` })).body.id;
    await share({ users: ["bob", "cleo", "eve"], roles: { eve: "viewer" } });
    images = [];
    for (const name of ["a", "b", "c"]) images.push(await seedImage(server.db, dataset, `${name}.jpg`));
  });

  const share = (body: object) => ann.post(`dataset/${dataset}/share`, body);
  const set = (body: object, by = ann) => by.post(`dataset/${dataset}`, body);
  const next = async (by: TestUser, except: number[] = []) =>
    (await by.post(`dataset/${dataset}/images/next`, { except })).body;
  const leases = async () =>
    (await ann.get(`dataset/${dataset}/leases`)).body.map(
      ({ image_id, username }: { image_id: number; username: string }) => `${username} ${images.indexOf(image_id)}`,
    );
  const assign = (user: string, ids: number[]) => ann.post(`dataset/${dataset}/images/assign`, { ids, users: [user] });
  const rowOf = (id: number) =>
    server.db.selectFrom("images").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const clients = new Map<TestUser, string>();
  const clientOf = (user: TestUser) => clients.get(user) ?? clients.set(user, randomUUID()).get(user)!;
  async function edit(by: TestUser, id: number, before: object, after: object) {
    const { revision: base } = await rowOf(id);
    const sent = { uuid: randomUUID(), image_id: id, base, subject: "image", action: "modify", before, after };
    return (await by.post("annotator/edits", { client: clientOf(by), edits: [sent] })).body.answers[0].status;
  }
  const submit = (by: TestUser, id: number) => edit(by, id, { done: false }, { done: true });
  const age = (minutes: number) =>
    sql`update image_leases set renewed_at = now() - make_interval(mins => ${minutes}::integer)`.execute(server.db);

  test("gives each user other images, in the order of the list, and the same one until it is done", async () => {
    const [a, b, c] = images;
    expect(await next(bob)).toMatchObject({ image_id: a, reason: "free", until: expect.any(String) });
    expect(await next(bob)).toMatchObject({ image_id: a, reason: "leased" });
    expect(await next(cleo)).toMatchObject({ image_id: b, reason: "free" });
    expect(await leases()).toEqual(["cleo 1", "bob 0"]);
    expect(await submit(bob, a!)).toBe("applied");
    expect(await next(bob)).toMatchObject({ image_id: c });
    await submit(bob, c!);
    expect(await next(bob)).toEqual({ image_id: null, reason: null, until: null });
    expect(await leases()).toEqual(["cleo 1"]);
  });

  test("gives returned and assigned images first, and none that is assigned to somebody else", async () => {
    await set({ review: true });
    const [a, b, c] = images;
    await assign("bob", [b!, c!]);
    await assign("ann", [a!]);
    expect(await next(bob)).toMatchObject({ image_id: b, reason: "assigned" });
    await submit(bob, b!);
    await submit(bob, c!);
    expect((await next(bob)).image_id).toBeNull();
    await edit(ann, c!, { stage: "to_review" }, { stage: "returned" });
    await edit(ann, b!, { stage: "to_review" }, { stage: "open" });
    expect(await next(bob)).toMatchObject({ image_id: c, reason: "returned" });
    expect((await next(cleo)).image_id).toBeNull();
  });

  test("an image from the queue comes back to the user who submitted it", async () => {
    await set({ review: true });
    const { image_id: id } = await next(bob);
    await submit(bob, id);
    expect(await rowOf(id)).toMatchObject({ stage: "to_review", assignee_id: bob.id });
    await edit(ann, id, { stage: "to_review" }, { stage: "returned" });
    expect((await next(cleo)).image_id).not.toBe(id);
    expect(await next(bob)).toMatchObject({ image_id: id, reason: "returned" });
  });

  test("without review, only images from the queue are assigned to those who finish them", async () => {
    const { image_id: id } = await next(bob);
    await submit(bob, id);
    expect(await rowOf(id)).toMatchObject({ stage: "accepted", assignee_id: bob.id });
    await submit(cleo, images[2]!);
    expect(await rowOf(images[2]!)).toMatchObject({ stage: "accepted", assignee_id: null });
  });

  test("with the setting, gives only assigned images, and only maintainers change it", async () => {
    expect((await set({ queue_assigned_only: true }, bob)).status).toBe(403);
    expect((await set({ queue_assigned_only: true })).status).toBe(200);
    expect((await bob.get(`dataset/${dataset}`)).body).toMatchObject({
      queue_assigned_only: true,
      queue_order: "list",
    });
    expect((await next(bob)).image_id).toBeNull();
    await assign("bob", [images[1]!]);
    expect(await next(bob)).toMatchObject({ image_id: images[1] });
  });

  if (kind === "server")
    test("changing one setting of the queue leaves the other alone, which another user changes meanwhile", async () => {
      const other = await server.db.startTransaction().execute();
      await other.updateTable("datasets").set({ queue_order: "smart" }).where("id", "=", dataset).execute();
      const changed = set({ queue_assigned_only: true });
      await eventually(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db);
        expect(rows.length).toBeGreaterThan(0);
      });
      await other.commit().execute();
      expect((await changed).status).toBe(200);
      expect((await bob.get(`dataset/${dataset}`)).body).toMatchObject({
        queue_order: "smart",
        queue_assigned_only: true,
      });
    });

  test("a lease ends after 30 minutes, and edits and an open image renew it", async () => {
    const { image_id: id } = await next(bob);
    await age(29);
    expect((await next(cleo)).image_id).not.toBe(id);
    await age(29);
    expect(await edit(bob, id, { labels: [] }, { labels: [] })).not.toBe("refused");
    await edit(bob, id, { metadata: {} }, { metadata: { weather: "rain" } });
    await sql`update image_leases set renewed_at = renewed_at - interval '15 minutes'`.execute(server.db);
    expect(await leases()).toEqual(["bob 0"]);
    await renewOpened(server.db, [{ imageId: id, username: "bob" }]);
    await sql`update image_leases set renewed_at = renewed_at - interval '29 minutes'`.execute(server.db);
    expect(await leases()).toEqual(["bob 0"]);
    await age(31);
    await renewOpened(server.db, [{ imageId: id, username: "bob" }]);
    expect(await leases()).toEqual([]);
    expect((await next(cleo, [images[1]!])).image_id).toBe(id);
  });

  test("users release their leases, maintainers those of others too, and skipped images are free again", async () => {
    const [a, b] = images;
    await next(bob);
    expect((await cleo.delete(`dataset/${dataset}/leases/${a}`)).status).toBe(200);
    expect(await leases()).toEqual(["bob 0"]);
    expect((await ann.delete(`dataset/${dataset}/leases/${a}`)).status).toBe(200);
    expect(await leases()).toEqual([]);
    await next(bob);
    expect(await next(bob, [a!])).toMatchObject({ image_id: b });
    expect(await leases()).toEqual(["bob 1"]);
    expect((await bob.delete(`dataset/${dataset}/leases/${b}`)).status).toBe(200);
    expect(await leases()).toEqual([]);
    expect((await eve.post(`dataset/${dataset}/images/next`, {})).status).toBe(403);
    expect((await bob.get(`dataset/${dataset}/leases`)).status).toBe(403);
  });

  test("giving back an image of a named user leaves the lease of another alone, who has got it meanwhile", async () => {
    const [a] = images;
    await next(cleo);
    const of = (username: string) => `dataset/${dataset}/leases/${a}?username=${username}`;
    expect((await ann.delete(of("bob"))).status).toBe(200);
    expect(await leases()).toEqual(["cleo 0"]);
    expect((await bob.delete(of("cleo"))).status).toBe(200);
    expect(await leases()).toEqual(["cleo 0"]);
    expect((await ann.delete(of("cleo"))).status).toBe(200);
    expect(await leases()).toEqual([]);
  });

  test("a member who leaves loses the leases", async () => {
    await next(bob);
    await share({ remove: ["bob"] });
    expect(await leases()).toEqual([]);
  });

  test("the smart order begins with images without annotations, then rare categories", async () => {
    await set({ queue_order: "smart" });
    const [rare, common] = [await seedCategory(server.db, ann.id), await seedCategory(server.db, ann.id)];
    const [a, b, c] = images;
    const d = await seedImage(server.db, dataset, "d.jpg");
    for (const id of [a!, b!, d]) await seedAnnotation(server.db, id, common);
    await seedAnnotation(server.db, b!, rare);
    await server.db.updateTable("images").set({ annotated: true }).where("id", "in", [a!, b!, d]).execute();
    await sql`
      insert into quality_findings (dataset_id, kind, key, image_id, score, details)
      values (${dataset}, 'unlikelyOutline', 'x', ${d}, 0.5, '{}')`.execute(server.db);
    const given: number[] = [];
    for (let n = 0; n < 4; n++) given.push((await next(bob, given)).image_id);
    expect(given).toEqual([c, b, d, a]);
  });

  test("in the smart order, images assigned since it was computed are not given, and new ones follow", async () => {
    await set({ queue_order: "smart" });
    const [a, b, c] = images;
    expect(await next(bob)).toMatchObject({ image_id: a });
    await assign("cleo", [b!]);
    const d = await seedImage(server.db, dataset, "d.jpg");
    expect(await next(bob, [a!])).toMatchObject({ image_id: c });
    expect(await next(bob, [a!, c!])).toMatchObject({ image_id: d });
    expect((await next(bob, [a!, c!, d])).image_id).toBeNull();
    expect(await next(cleo)).toMatchObject({ image_id: b, reason: "assigned" });
  });

  /** Stores embeddings of two numbers for images, as the task does. */
  async function embed(places: Record<number, [number, number]>) {
    for (const [id, place] of Object.entries(places))
      await sql`
        insert into image_embeddings (image_id, dataset_id, hash, network, embedding)
        select id, dataset_id, hash, 'test', ${Buffer.from(Float32Array.from(place).buffer)}::bytea
        from images where id = ${id}::integer`.execute(server.db);
  }
  async function annotate(id: number) {
    await seedAnnotation(server.db, id, await seedCategory(server.db, ann.id));
    await server.db.updateTable("images").set({ annotated: true }).where("id", "=", id).execute();
  }

  /**
   * Returns a user's next image after waiting for the order, which may take longer than a call waits on a busy machine.
   */
  async function nextByDistance(by: TestUser, except: number[] = []) {
    const ordered = { id: dataset, name: "", queue_order: "farthest" } as const;
    for (const userId of [by.id, null]) await rankedImages(server.services, ordered, userId, 60_000);
    return next(by, except);
  }

  test("a call does not wait for an order by distance that takes long", async () => {
    const ordered = { id: dataset, name: "", queue_order: "farthest" } as const;
    await embed({ [images[0]!]: [0, 0], [images[1]!]: [1, 0], [images[2]!]: [9, 0] });
    expect(await rankedImages(server.services, ordered, null, 0)).toEqual([]);
    expect(await rankedImages(server.services, ordered, null, 60_000)).toHaveLength(3);
  });

  test("the order by distance begins far from labelled images, and gives images without an embedding last", async () => {
    await set({ queue_order: "farthest" });
    const [a, b, c] = images;
    const [d, e, f] = [
      await seedImage(server.db, dataset, "d.jpg"),
      await seedImage(server.db, dataset, "e.jpg"),
      await seedImage(server.db, dataset, "0.jpg"),
    ];
    await annotate(a!);
    await submit(ann, b!);
    // a and b are labelled, c is beside b, d is between them, e is far off, f is unknown.
    await embed({ [a!]: [0, 0], [b!]: [8, 0], [c!]: [7.5, 0], [d]: [4, 0], [e]: [4, 9] });
    const given: number[] = [];
    for (let n = 0; n < 5; n++) given.push((await nextByDistance(bob, given)).image_id);
    expect(given).toEqual([e, d, c, a, f]);
    expect((await nextByDistance(bob, given)).image_id).toBeNull();
  });

  test("the order by distance equals a brute force search, for several annotators at once", async () => {
    await set({ queue_order: "farthest" });
    const random = seededRandom(7);
    for (let n = 0; n < 37; n++) images.push(await seedImage(server.db, dataset, `n${n}.jpg`));
    const places = new Map(images.map((id) => [id, [random(), random()] as [number, number]]));
    await embed(Object.fromEntries(places));
    const labelled = images.filter((_, i) => i % 8 === 0);
    await server.db.updateTable("images").set({ done: true, stage: "accepted" }).where("id", "in", labelled).execute();
    const expected = greedy(places, labelled);
    const given: number[] = [];
    while (given.length < expected.length) {
      for (const user of [bob, cleo]) given.push((await nextByDistance(user, given)).image_id);
      if (given.at(-1) === null) given.pop();
    }
    expect(given).toEqual(expected);
  });

  test("in the order by distance, images assigned since are not given, and each user has an order of the own images", async () => {
    await set({ queue_order: "farthest" });
    const [a, b, c] = images;
    await embed({ [a!]: [0, 0], [b!]: [1, 0], [c!]: [9, 0] });
    await submit(ann, a!);
    expect(await nextByDistance(bob)).toMatchObject({ image_id: c, reason: "free" });
    await assign("cleo", [b!, c!]);
    expect((await nextByDistance(bob)).image_id).toBeNull();
    expect(await nextByDistance(cleo)).toMatchObject({ reason: "assigned", image_id: b });
    expect((await nextByDistance(eve)).image_id).toBeUndefined();
  });

  test("of many callers at once, each gets another image, and none gets nothing", async () => {
    for (let n = 0; n < CALLERS - 3; n++) images.push(await seedImage(server.db, dataset, `z${n}.jpg`));
    const users: TestUser[] = [];
    for (let n = 0; n < CALLERS; n++) users.push(await server.user(`caller${names}x${n}`));
    await share({ add: users.map(({ username }) => username) });
    const given = await Promise.all(users.map((user) => next(user)));
    expect(new Set(given.map(({ image_id }) => image_id))).toEqual(new Set(images));
    expect((await next(bob)).image_id).toBeNull();
  });
});
