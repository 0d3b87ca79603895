import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeOnDatabases } from "../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnDatabases("categories", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    bob = await server.user("bob");
  });
  afterAll(() => server.close());

  test("a category without a colour gets a bright one", async () => {
    const { body } = await ann.post("category/", { name: "bird", supercategory: "animal" });
    expect(body).toMatchObject({ name: "bird", supercategory: "animal", creator: "ann", revision: 1 });
    expect(body.color).toMatch(/^#[0-9a-f]{6}$/);
  });

  test("a search finds categories by part of their name, on all pages", async () => {
    for (const name of ["Zebrafink", "zebra", "crane"]) await ann.post("category/", { name });
    const { body } = await ann.get("category/data?search=ZEBRA&limit=1&page=2");
    expect(body.pagination).toMatchObject({ total: 2, pages: 2 });
    expect(body.categories.map(({ name }: { name: string }) => name)).toEqual(["zebra"]);
  });

  test("attributes are defined, changed, given to new annotations as defaults, and refused with a name twice", async () => {
    const color = { name: "colour", type: "choice", choices: ["red"], required: true, default: "red", key: "y" };
    const { body } = await ann.post("category/", { name: "kite", attributes: [color] });
    expect(body.attributes).toEqual([color]);
    const note = { ...color, name: "note", type: "text", choices: [], default: null, key: null };
    const changed = await ann.put(`category/${body.id}`, { attributes: [color, note] });
    expect(changed.body.category).toMatchObject({ attributes: [color, note], revision: 2 });
    expect((await ann.put(`category/${body.id}`, { name: "kite" })).body.category.attributes).toEqual([color, note]);
    expect((await ann.put(`category/${body.id}`, { attributes: [color, color] })).status).toBe(400);
    const imageId = await seedImage(server.db, await seedDataset(server.db, { ownerId: ann.id }));
    const posted = await ann.post("annotation/", {
      image_id: imageId,
      category_id: body.id,
      attributes: { note: "x" },
    });
    expect(posted.body.attributes).toEqual({ colour: "red", note: "x" });
    const put = await ann.put(`annotation/${posted.body.id}`, { attributes: { colour: "red" } });
    expect(put.body.attributes).toEqual({ colour: "red" });
  });

  test("the same name by the same user is refused, deleted or not, ignoring case", async () => {
    const { body } = await ann.post("category/", { name: "Cow" });
    const again = await ann.post("category/", { name: "cOW" });
    expect(again.status).toBe(409);
    expect(again.body.message).toBe("Category already exists. Check the undo tab to fully delete the category.");
    await ann.delete(`category/${body.id}`);
    expect((await ann.post("category/", { name: "cow" })).status).toBe(409);
    expect((await bob.post("category/", { name: "cow" })).status).toBe(200);
  });

  test("the same name in another Unicode form is refused, one with another accent is not", async () => {
    expect((await ann.post("category/", { name: "caf\u00e9" })).status).toBe(200);
    expect((await ann.post("category/", { name: "Cafe\u0301" })).status).toBe(409);
    expect((await ann.post("category/", { name: "cafe" })).body.name).toBe("cafe");
  });

  describe("with a reserved id", () => {
    const reserve = async (user: TestUser): Promise<number> =>
      (await user.post("category/ids", { count: 1 })).body.ids[0];

    const ofUser = ({ id: ownerId }: TestUser) => seedDataset(server.db, { ownerId });

    test("a category gets it, and only once even if it is sent again", async () => {
      const reserved = await reserve(ann);
      const made = await ann.post("category/", { name: "Buoy", reserved });
      expect(made.body).toMatchObject({ id: reserved, name: "Buoy", revision: 1 });
      await ann.put(`category/${reserved}`, { name: "Mark" });
      const again = await ann.post("category/", { name: "Buoy", reserved });
      expect(again.body).toMatchObject({ id: reserved, name: "Mark" });
      expect((await ann.post("category/", { name: "Other" })).body.id).not.toBe(reserved);
    });

    test("a name that the user has already gets a number", async () => {
      await ann.post("category/", { name: "jetty" });
      const [first, second] = [await reserve(ann), await reserve(ann)];
      expect((await ann.post("category/", { name: "Jetty", reserved: first })).body.name).toBe("Jetty 2");
      expect((await ann.post("category/", { name: "jetty", reserved: second })).body.name).toBe("jetty 3");
    });

    test("only the user who reserved it can use it", async () => {
      const reserved = await reserve(ann);
      expect((await bob.post("category/", { name: "stolen", reserved })).status).toBe(409);
      expect((await bob.post("category/", { name: "made up", reserved: 2_000_000 })).status).toBe(409);
      await ann.post("category/", { name: "kept", reserved });
      expect((await bob.post("category/", { name: "kept", reserved })).status).toBe(409);
      const mine = await reserve(ann);
      expect((await bob.post("category/", { name: "late", reserved: mine, user: ann.id })).status).toBe(401);
    });

    test("the category is added to a dataset that the user sees, and created without it otherwise", async () => {
      const [own, other] = [await ofUser(ann), await ofUser(bob)];
      const reserved = await reserve(ann);
      await ann.post("category/", { name: "quay", reserved, dataset: own });
      expect((await ann.get(`dataset/${own}`)).body.categories).toEqual([reserved]);
      const { status, body } = await ann.post("category/", { name: "pier", dataset: other });
      expect([status, (await bob.get(`dataset/${other}`)).body.categories]).toEqual([200, []]);
      expect(body.name).toBe("pier");
    });

    test("a user cannot hold thousands of them", async () => {
      let status = 200;
      for (let n = 0; n < 30 && status === 200; n++) status = (await bob.post("category/ids", { count: 50 })).status;
      expect(status).toBe(409);
      expect((await ann.post("category/ids", { count: 51 })).status).toBe(400);
    });
  });

  test("an update keeps fields that were not sent, raises the revision, and is added to the history", async () => {
    const { body } = await ann.post("category/", { name: "horse", supercategory: "animal", metadata: { legs: 4 } });
    const changed = await ann.put(`category/${body.id}`, { color: "#ABCDEF" });
    expect(changed.body).toMatchObject({
      success: true,
      category: { name: "horse", supercategory: "animal", metadata: { legs: 4 }, color: "#abcdef", revision: 2 },
    });
    expect((await ann.put(`category/${body.id}`, { color: "#abcdef" })).body.message).toBe("Nothing to update");
    const history = await server.db
      .selectFrom("edit_history")
      .select(["revision", "fields", "user_name"])
      .where("subject", "=", "category")
      .where("subject_id", "=", String(body.id))
      .execute();
    expect(history).toEqual([{ revision: 2, fields: { color: "#abcdef" }, user_name: "ann" }]);
  });

  test("metadata is kept when an older client sends its empty list for it", async () => {
    const { body } = await ann.post("category/", { name: "goat", metadata: { legs: 4 } });
    const changed = await ann.put(`category/${body.id}`, { name: "goat", supercategory: "animal", metadata: [] });
    expect(changed.body.category).toMatchObject({ metadata: { legs: 4 }, supercategory: "animal" });
    expect((await ann.put(`category/${body.id}`, { metadata: [1] })).status).toBe(400);
    expect((await ann.put(`category/${body.id}`, { metadata: {} })).body.category.metadata).toEqual({});
  });

  test("two simultaneous changes are both kept", async () => {
    const { body } = await ann.post("category/", { name: "racing" });
    await Promise.all([
      ann.put(`category/${body.id}`, { color: "#111111" }),
      ann.put(`category/${body.id}`, { supercategory: "sport" }),
    ]);
    const after = (await ann.get(`category/${body.id}`)).body;
    expect(after).toMatchObject({ color: "#111111", supercategory: "sport", revision: 3 });
  });

  test("renaming to a name that the user already has is a conflict", async () => {
    await ann.post("category/", { name: "cup" });
    const { body } = await ann.post("category/", { name: "mug" });
    const renamed = await ann.put(`category/${body.id}`, { name: "Cup" });
    expect(renamed.status).toBe(409);
    expect(renamed.body.message).toBe("Category 'Cup' already exists");
    expect((await ann.get(`category/${body.id}`)).body.name).toBe("mug");
  });

  test("keypoints based on another definition than the category's are refused, and nothing is changed", async () => {
    const { body: before } = await ann.post("category/", { name: "raced", keypoint_labels: ["nose"] });
    const { keypoint_labels, keypoint_edges, keypoint_colors, keypoint_label_ids } = before;
    const keypoints_before = { keypoint_labels, keypoint_edges, keypoint_colors, keypoint_label_ids };
    await ann.put(`category/${before.id}`, { keypoint_labels: ["nose", "eye"] });
    const late = await ann.put(`category/${before.id}`, { name: "late", keypoint_labels: ["ear"], keypoints_before });
    expect(late.status).toBe(409);
    expect(late.body.message).toBe(
      "Another user has changed the keypoints in the meantime. Close the form and open it again.",
    );
    const { body: now } = await ann.get(`category/${before.id}`);
    expect(now).toMatchObject({ name: "raced", keypoint_labels: ["nose", "eye"] });
    const { keypoint_labels: labels, keypoint_edges: edges, keypoint_colors: colors, keypoint_label_ids: ids } = now;
    const seen = { keypoint_labels: labels, keypoint_edges: edges, keypoint_colors: colors, keypoint_label_ids: ids };
    const fresh = await ann.put(`category/${before.id}`, { keypoint_labels: ["ear"], keypoints_before: seen });
    expect(fresh.body.category).toMatchObject({ keypoint_labels: ["ear"] });
  });

  test("attributes based on others than the category's are refused, and nothing is changed", async () => {
    const attribute = (name: string) => ({
      name,
      type: "flag",
      required: false,
      default: null,
      key: null,
      choices: [],
    });
    const { body: before } = await ann.post("category/", { name: "shared", attributes: [attribute("old")] });
    await ann.put(`category/${before.id}`, { attributes: [attribute("old"), attribute("theirs")] });
    const change = { name: "late", attributes: [attribute("old"), attribute("mine")] };
    const late = await ann.put(`category/${before.id}`, { ...change, attributes_before: before.attributes });
    expect([late.status, late.body.message]).toEqual([
      409,
      "Another user has changed the attributes in the meantime. Close the form and open it again.",
    ]);
    const { body: now } = await ann.get(`category/${before.id}`);
    expect(now).toMatchObject({ name: "shared", attributes: [{ name: "old" }, { name: "theirs" }] });
    const fresh = await ann.put(`category/${before.id}`, { ...change, attributes_before: now.attributes });
    expect(fresh.body.category).toMatchObject({ attributes: [{ name: "old" }, { name: "mine" }] });
  });

  test("single entries of the metadata are set and removed, and the others stay", async () => {
    const { body } = await ann.post("category/", { name: "noted", metadata: { note: "a", tool: "Line" } });
    const change = (json: object) => ann.put(`category/${body.id}`, json);
    expect((await change({ set_metadata: { tool: "BBox" } })).body.category.metadata).toEqual({
      note: "a",
      tool: "BBox",
    });
    expect((await change({ set_metadata: { note: "b" } })).body.category.metadata).toEqual({ note: "b", tool: "BBox" });
    expect((await change({ remove_metadata: ["tool", "none"] })).body.category.metadata).toEqual({ note: "b" });
    expect((await change({ metadata: {}, set_metadata: { note: "c" } })).status).toBe(400);
  });

  test("given ids identify the labels, so that a new name in a removed label's place is another label", async () => {
    const { body } = await ann.post("category/", { name: "joined", keypoint_labels: ["left", "right"] });
    const sent = { keypoint_labels: ["top", "right"], label_ids: [9, 2] };
    const { category } = (await ann.put(`category/${body.id}`, sent)).body;
    expect(category).toMatchObject({ keypoint_labels: ["top", "right"], keypoint_label_ids: [9, 2] });
    expect((await ann.put(`category/${body.id}`, { ...sent, label_ids: [9] })).status).toBe(400);
  });

  test("keypoint labels keep their ids through re-ordering, and invalid definitions are refused", async () => {
    const { body } = await ann.post("category/", {
      name: "person",
      keypoint_labels: ["nose", "eye", "ear"],
      keypoint_edges: [[1, 2]],
    });
    expect(body.keypoint_label_ids).toEqual([1, 2, 3]);
    const turned = await ann.put(`category/${body.id}`, { keypoint_labels: ["ear", "nose", "eye"] });
    expect(turned.body.category).toMatchObject({ keypoint_label_ids: [3, 1, 2], keypoint_edges: [[2, 3]] });
    const bad = await ann.put(`category/${body.id}`, { keypoint_labels: ["nose", "nose"] });
    expect(bad).toMatchObject({ status: 400, body: { message: "Duplicate keypoint label" } });
    const empty = await ann.put(`category/${body.id}`, { keypoint_labels: ["nose", ""] });
    expect(empty).toMatchObject({ status: 400, body: { message: "Label is required" } });
    const edge = await ann.put(`category/${body.id}`, { keypoint_edges: [[1, 4]] });
    expect(edge.status).toBe(400);
  });

  test("other users see it only once their dataset lists it, and then may use but not change it", async () => {
    const id = await seedCategory(server.db, ann.id, "shared thing");
    expect((await bob.get(`category/${id}`)).status).toBe(404);
    expect((await bob.put(`category/${id}`, { color: "#000000" })).status).toBe(404);
    const dataset = await seedDataset(server.db, { ownerId: bob.id, categories: [id] });
    expect((await bob.get(`category/${id}`)).status).toBe(200);
    expect((await bob.put(`category/${id}`, { color: "#000000" })).status).toBe(403);
    expect((await bob.delete(`category/${id}`)).status).toBe(403);
    expect((await bob.get("category/data?limit=1000")).body.categories).toContainEqual(
      expect.objectContaining({ id, permissions: { edit: false, delete: false } }),
    );
    const listed = async (user: typeof bob) =>
      (await user.get("category/")).body.find((each: { id: number }) => each.id === id);
    expect(await listed(bob)).toMatchObject({ permissions: { edit: false, delete: false } });
    expect(await listed(ann)).toMatchObject({ permissions: { edit: true, delete: true } });
    await server.db.updateTable("datasets").set({ deleted_at: new Date() }).where("id", "=", dataset).execute();
    expect((await bob.get(`category/${id}`)).status).toBe(404);
  });

  test("a page counts the existing annotations", async () => {
    const carl = await server.user("carl");
    const category = await seedCategory(server.db, carl.id, "counted");
    const image = await seedImage(server.db, await seedDataset(server.db, { ownerId: carl.id }));
    await seedAnnotation(server.db, image, category);
    const gone = await seedAnnotation(server.db, image, category);
    await server.db.updateTable("annotations").set({ deleted_at: new Date() }).where("id", "=", gone).execute();
    const { body } = await carl.get("category/data?page=7&limit=50");
    expect(body.pagination).toEqual({ start: 0, end: 1, pages: 1, page: 1, total: 1, showing: 1 });
    expect(body.categories).toMatchObject([{ id: category, numberAnnotations: 1 }]);
  });
});
