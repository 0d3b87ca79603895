import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeOnDatabases } from "../../../support/databases";
import { seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnDatabases("assignments and members", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let bob: TestUser;
  let eve: TestUser;
  let dataset: number;
  const images: number[] = [];
  let names = 0;

  beforeAll(async () => {
    server = await startServer(await open());
    [ann, bob, eve] = [await server.user("ann"), await server.user("bob"), await server.user("eve")];
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    dataset = (await ann.post("dataset/", { name: `assigned ${++names}` })).body.id;
    await share({ users: ["bob", "eve"], roles: { eve: "viewer" } });
    images.length = 0;
    for (const name of ["a", "b", "c"]) images.push(await seedImage(server.db, dataset, `${name}.jpg`));
  });

  const share = (body: object) => ann.post(`dataset/${dataset}/share`, body);
  const assign = (users: string[], ids = images) => ann.post(`dataset/${dataset}/images/assign`, { ids, users });
  const assignees = async () =>
    (await ann.get(`dataset/${dataset}/data?order=path`)).body.images.map(
      ({ assignee }: { assignee: string | null }) => assignee ?? null,
    );

  test("viewers and strangers cannot be assigned", async () => {
    for (const name of ["eve", "nobody"])
      expect(await assign(["bob", name])).toMatchObject({
        status: 400,
        body: { message: `${name} is not a member who may annotate this dataset.` },
      });
    expect(await assignees()).toEqual([null, null, null]);
  });

  test("a member who leaves or becomes a viewer loses all images but accepted ones", async () => {
    for (const change of [{ remove: ["bob"] }, { roles: { bob: "viewer" } }]) {
      await share({ add: ["bob"], roles: { bob: "annotator" } });
      expect((await assign(["bob"])).status).toBe(200);
      await ann.post(`dataset/${dataset}/images/mark`, { ids: [images[1]], stage: "accepted" });
      await share(change);
      expect(await assignees()).toEqual([null, "bob", null]);
    }
  });

  test("undoing an assignment gives no image back to a user who may no longer annotate", async () => {
    await assign(["bob"]);
    const { undo } = (await assign(["ann"])).body;
    await share({ roles: { bob: "viewer" } });
    await ann.post(`dataset/${dataset}/images/undo`, { undo });
    expect(await assignees()).toEqual([null, null, null]);
  });

  test("an image that another maintainer has assigned since it was seen keeps its user", async () => {
    const [first, second, third] = images as [number, number, number];
    await assign(["bob"], [first]);
    await assign(["ann"], [second]);
    const seen = [
      { assignee: null, ids: [first] },
      { assignee: "ann", ids: [second] },
      { assignee: "gone", ids: [third] },
    ];
    const sent = { ids: images, users: ["ann"], seen };
    const { body } = await ann.post(`dataset/${dataset}/images/assign`, sent);
    expect(body).toMatchObject({ changed: 1, failed: 2, undo: null });
    expect(body.failures[0]).toEqual({ id: first, message: "The assigned user of a.jpg has changed since." });
    expect(await assignees()).toEqual(["bob", "ann", null]);
    await assign(["bob"], [third]);
    const again = { ids: images, users: [], seen: [{ assignee: "bob", ids: [first, third] }] };
    expect((await ann.post(`dataset/${dataset}/images/assign`, again)).body).toMatchObject({ changed: 3, failed: 0 });
    expect(await assignees()).toEqual([null, null, null]);
  });

  test("a maintainer who became an annotator, or a reviewer who did, no longer undoes assignments or acceptances", async () => {
    await ann.post(`dataset/${dataset}`, { review: true });
    await share({ roles: { bob: "maintainer" } });
    const bobs = async (call: string, json: object) => (await bob.post(`dataset/${dataset}/images/${call}`, json)).body;
    const { undo: assigned } = await bobs("assign", { ids: images, users: ["ann"] });
    const { undo: accepted } = await bobs("mark", { ids: images, stage: "accepted" });
    await share({ roles: { bob: "annotator" } });
    expect(await bobs("undo", { undo: assigned })).toMatchObject({ changed: 0, failed: 3 });
    expect((await bobs("undo", { undo: accepted })).failures[0].message).toMatch(/^a\.jpg: Only reviewers/);
    expect(await assignees()).toEqual(["ann", "ann", "ann"]);
    await share({ roles: { bob: "reviewer" } });
    expect(await bobs("undo", { undo: accepted })).toMatchObject({ changed: 3, failed: 0 });
  });

  test("the former owner of a dataset loses the images", async () => {
    const admin = await server.user("root", { admin: true });
    await assign(["ann"]);
    expect((await admin.post(`admin/dataset/${dataset}/owner`, { username: "bob" })).status).toBe(200);
    const rows = await server.db.selectFrom("images").select("assignee_id").where("dataset_id", "=", dataset).execute();
    expect(rows.map(({ assignee_id }) => assignee_id)).toEqual([null, null, null]);
  });

  test("pages that show the list, and the users concerned, are notified", async () => {
    const heard: string[] = [];
    const sockets: Socket[] = [];
    for (const [user, showsList] of [
      [ann, true],
      [bob, false],
      [eve, false],
    ] as const) {
      const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const socket = io(new URL(user.url).origin, { transports: ["websocket"], extraHeaders: { Cookie: cookie } });
      sockets.push(socket);
      socket.on("work", ({ dataset_id, what }) => {
        expect(what).toBe("assignments");
        heard.push(`${user.username} ${dataset_id}`);
      });
      await expect.poll(() => socket.connected).toBe(true);
      if (showsList) await socket.emitWithAck("listing", { dataset_id: dataset, active: true });
    }
    await assign(["bob"]);
    await expect.poll(() => heard.toSorted()).toEqual([`ann ${dataset}`, `bob ${dataset}`]);
    await share({ remove: ["bob"] });
    await expect.poll(() => heard.length).toBe(4);
    expect(heard).not.toContain(`eve ${dataset}`);
    await share({ add: ["bob"], roles: { bob: "annotator" } });
    const { undo } = (await assign(["bob"])).body;
    const bobs = () => heard.filter((name) => name.startsWith("bob")).length;
    const before = bobs();
    await ann.post(`dataset/${dataset}/images/undo`, { undo });
    await expect.poll(bobs).toBeGreaterThan(before);
    // Marking reaches the dataset's owner as a reviewer, and so must its undo.
    const anns = () => heard.filter((name) => name.startsWith("ann")).length;
    const beforeMark = anns();
    const marked = await ann.post(`dataset/${dataset}/images/mark`, { ids: images, stage: "accepted" });
    await expect.poll(anns).toBeGreaterThan(beforeMark);
    const beforeUndo = anns();
    await ann.post(`dataset/${dataset}/images/undo`, { undo: marked.body.undo });
    await expect.poll(anns).toBeGreaterThan(beforeUndo);
    for (const socket of sockets) socket.close();
  });
});
