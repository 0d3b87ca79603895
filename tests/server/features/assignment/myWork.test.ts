import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeOnBothDatabases } from "../../../support/databases";
import { seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnBothDatabases("work of a user", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let eve: TestUser;
  let dataset: number;
  let images: number[];
  let names = 0;

  beforeAll(async () => {
    server = await startServer(await open());
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    names += 1;
    [ann, bob] = [await server.user(`ann${names}`), await server.user(`bob${names}`)];
    eve = await server.user(`eve${names}`);
    dataset = (await ann.post("dataset/", { name: "Boats" })).body.id;
    images = [];
    for (const name of ["a", "b", "c", "d"]) images.push(await seedImage(server.db, dataset, `${name}.jpg`));
  });

  const NOTHING = { is_team: false, datasets: [], returned: [], accepted: [] };
  const workOf = async (user: TestUser) => (await user.get("work")).body;
  const share = () =>
    ann.post(`dataset/${dataset}/share`, {
      users: [bob.username, eve.username],
      roles: { [eve.username]: "viewer" },
    });
  const assign = (user: TestUser, ids = images) =>
    ann.post(`dataset/${dataset}/images/assign`, { ids, users: [user.username] });
  const mark = (by: TestUser, id: number, stage: string) =>
    by.post(`dataset/${dataset}/images/mark`, { ids: [id], stage });
  const NONE = { new: 0, annotating: 0, returned: 0, to_review: 0, accepted: 0 };

  test("is nothing for users on their own, for viewers, and for admins in datasets of others", async () => {
    expect(await workOf(ann)).toEqual(NOTHING);
    await share();
    expect(await workOf(eve)).toEqual(NOTHING);
    expect(await workOf(await server.user(`root${names}`, { admin: true }))).toEqual(NOTHING);
    const boats = { id: dataset, name: "Boats", mine: NONE, waiting: null };
    for (const user of [ann, bob]) expect(await workOf(user)).toEqual({ ...NOTHING, is_team: true, datasets: [boats] });
  });

  test("counts assigned images by stage, and images that wait for reviewers", async () => {
    await share();
    await ann.post(`dataset/${dataset}`, { review: true });
    await assign(bob);
    const [a, b, c] = images;
    await mark(bob, a!, "to_review");
    await mark(bob, b!, "to_review");
    await mark(bob, c!, "to_review");
    await mark(ann, b!, "accepted");
    await mark(ann, c!, "returned");
    const mine = { ...NONE, new: 1, to_review: 1, accepted: 1, returned: 1 };
    const work = await workOf(bob);
    expect(work.datasets).toEqual([{ id: dataset, name: "Boats", mine, waiting: null }]);
    expect((await workOf(ann)).datasets).toEqual([{ id: dataset, name: "Boats", mine: NONE, waiting: 1 }]);
    const place = { dataset_id: dataset, dataset: "Boats" };
    expect(work.accepted).toEqual([{ ...place, id: b, file_name: "b.jpg", accepted_at: expect.any(String) }]);
    expect(work.returned).toEqual([
      {
        ...place,
        ...{ id: c, file_name: "c.jpg", returned_by: ann.username, returned_at: expect.any(String), comments: [] },
      },
    ]);
  });

  test("shows the open comments on a returned image", async () => {
    await share();
    await ann.post(`dataset/${dataset}`, { review: true });
    await assign(bob);
    const [a] = images;
    await mark(bob, a!, "to_review");
    await mark(ann, a!, "returned");
    const times = { created_at: new Date(), x: 1, y: 2, image_id: a! };
    const rows = ["Where is the mast?", "Thanks."].map((text, at) => ({
      ...{ ...times, uuid: crypto.randomUUID(), text, user_name: ann.username },
      resolved_at: at === 0 ? null : new Date(),
    }));
    await server.db.insertInto("comments").values(rows).execute();
    await server.db.updateTable("images").set({ open_threads: 1 }).where("id", "=", a!).execute();
    expect((await workOf(bob)).returned[0].comments).toEqual([
      { uuid: rows[0]!.uuid, creator: ann.username, text: "Where is the mast?" },
    ]);
  });

  test("ends with the membership", async () => {
    await share();
    await assign(bob);
    await ann.post(`dataset/${dataset}/share`, { remove: [bob.username] });
    expect(await workOf(bob)).toEqual(NOTHING);
  });
});
