import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteActivity } from "../../../../server/features/images/noteActivity";
import { describeOnBothDatabases } from "../../../support/databases";
import { seedCategory, seedDataset, seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

interface Card {
  id: number;
  name: string;
  edited_at: string | null;
  edited_by: string | null;
}

describeOnBothDatabases("the last activity in a dataset", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    bob = await server.user("bob");
  });
  afterAll(() => server.close());

  const cards = async (order = ""): Promise<Card[]> => (await ann.get(`dataset/data?${order}`)).body.datasets;
  const card = async (id: number) => (await cards()).find((each) => each.id === id);

  test("a drawn annotation and an upload are the dataset's last edit, by their user", async () => {
    const category = await seedCategory(server.db, ann.id);
    const id = await seedDataset(server.db, { ownerId: ann.id, members: [bob.id], categories: [category] });
    const image = await seedImage(server.db, id);
    expect(await card(id)).toMatchObject({ edited_at: null, edited_by: null });
    const { status } = await bob.post("annotation/", { image_id: image, category_id: category });
    expect(status).toBe(200);
    const edited = await card(id);
    expect(edited).toMatchObject({ edited_by: "bob" });
    expect(Math.abs(Date.parse(edited?.edited_at ?? "") - Date.now())).toBeLessThan(600_000);
    await ann.post(`dataset/${id}/images/mark`, { ids: [image], done: true });
    expect(await card(id)).toMatchObject({ edited_by: "ann" });
  });

  test("is stored at most once in ten seconds for each user", async () => {
    const id = await seedDataset(server.db, { ownerId: ann.id });
    const by = async (user: TestUser, now: number) => {
      await server.db.updateTable("datasets").set({ edited_at: null }).where("id", "=", id).execute();
      await noteActivity(server.db, user.id, [id, id], now);
      return (await card(id))?.edited_at !== null;
    };
    expect(await by(ann, 0)).toBe(true);
    expect(await by(ann, 9_999)).toBe(false);
    expect(await by(bob, 9_999)).toBe(true);
    expect(await by(ann, 10_000)).toBe(true);
  });

  test("does not fail the stored change if the database refuses, and stores the next one", async () => {
    const id = await seedDataset(server.db, { ownerId: ann.id });
    const tooLarge = 2 ** 40;
    await noteActivity(server.db, ann.id, [id, tooLarge], 50_000);
    expect(await card(id)).toMatchObject({ edited_at: null });
    await noteActivity(server.db, ann.id, [id], 50_001);
    expect(await card(id)).toMatchObject({ edited_by: "ann" });
  });

  test("sorts the datasets, those without edits by their creation", async () => {
    const carl = await server.user("carl");
    const ids: number[] = [];
    for (const name of ["b 10", "B 9", "a"]) ids.push(await seedDataset(server.db, { name, ownerId: carl.id }));
    const [first = 0, second = 0, third = 0] = ids;
    // The embedded database's clock has milliseconds, and the edit may come in the same one as the last creation.
    await sql`update datasets set created_at = created_at - interval '1 minute'`.execute(server.db);
    await noteActivity(server.db, carl.id, [first], Date.now() + 1_000);
    const order = async (query: string) =>
      (await carl.get(`dataset/data?${query}`)).body.datasets.map((each: Card) => each.id);
    expect(await order("")).toEqual([first, second, third]);
    expect(await order("order=name")).toEqual([third, second, first]);
    expect(await order("order=-edited")).toEqual([first, third, second]);
    expect((await carl.get("dataset/data?order=edited")).status).toBe(400);
  });
});
