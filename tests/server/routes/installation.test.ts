import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { renewInstallation } from "../../../server/db/installation";
import { describeOnBothDatabases } from "../../support/databases";
import { seedDataset, seedImage } from "../../support/factories";
import { OriginalClient } from "../../support/originalClient";
import { startServer, type TestServer, type TestUser } from "../../support/server";

/** Header of every call from Limn's pages. */
const PAGE = { "X-Requested-With": "limn" };
const OTHER = { message: expect.stringContaining("restored"), code: "other_installation" };

describeOnBothDatabases("a restored installation", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let imageId: number;
  beforeAll(async () => {
    server = await startServer(await open());
    return server.close;
  });
  beforeEach(async () => {
    ann = await server.user(`ann${randomUUID().slice(0, 8)}`);
    imageId = await seedImage(server.db, await seedDataset(server.db, { ownerId: ann.id }));
  });
  const renew = () => server.db.transaction().execute(renewInstallation);
  const idNow = async (): Promise<string> => (await ann.get("user/")).body.installation;
  const batch = (more: object = {}) => ({
    client: `tab-${randomUUID()}`,
    user: ann.id,
    edits: [
      {
        uuid: randomUUID(),
        image_id: imageId,
        base: 1,
        subject: "image",
        action: "modify",
        before: {},
        after: { metadata: { seen: true } },
      },
    ],
    ...more,
  });
  const metadata = async () =>
    (await server.db.selectFrom("images").select("metadata").where("id", "=", imageId).executeTakeFirstOrThrow())
      .metadata;

  test("returns its id to anonymous callers and users alike", async () => {
    const info = await server.visitor().get("info/");
    expect(info.body.installation).toBe(await idNow());
  });

  test("accepts batches for its own id, and refuses those for another with a code, storing nothing", async () => {
    const installation = await idNow();
    await renew();
    const refused = await ann.post("annotator/edits", batch({ installation }));
    expect([refused.status, refused.body]).toEqual([409, OTHER]);
    const ofOthers = await ann.post("annotator/edits", batch({ installation, user: ann.id + 1 }));
    expect([ofOthers.status, ofOthers.body]).toEqual([409, OTHER]);
    expect(await metadata()).toEqual({});
    const taken = await ann.post("annotator/edits", batch({ installation: await idNow() }));
    expect(taken.body.answers).toMatchObject([{ status: "applied" }]);
    expect(await metadata()).toEqual({ seen: true });
  });

  test("refuses time spent and preferences for another id as well", async () => {
    const installation = await idNow();
    await renew();
    const rest = { edits: [], preferences: { bbox: { color: "red" } } };
    expect((await ann.post("annotator/edits", batch({ ...rest, installation }))).status).toBe(409);
    expect((await ann.get("user/")).body.user.preferences).toEqual({});
  });

  test("accepts calls of scripts that name no installation", async () => {
    expect((await ann.post("annotator/edits", batch())).body.answers).toMatchObject([{ status: "applied" }]);
  });

  test("accepts calls of a page from before ids only if the database is an upgraded one", async () => {
    const page = batch();
    const refused = await ann.post("annotator/edits", page, { headers: PAGE });
    expect([refused.status, refused.body]).toEqual([409, OTHER]);
    expect(await metadata()).toEqual({});
    // Rewriting the row unchanged keeps its stamp.
    await sql`update installation set origin = 'updated',
      stamp = concat_ws('.', pg_current_xact_id()::xid, tableoid, split_part(stamp, '.', 3))`.execute(server.db);
    const taken = await ann.post("annotator/edits", page, { headers: PAGE });
    expect(taken.body.answers).toMatchObject([{ status: "applied" }]);
  });

  test("ends only the session of the user whom a log-out names", async () => {
    const ofAnother = { headers: { "X-Limn-User": String(ann.id + 1) } };
    expect((await ann.get("user/logout", ofAnother)).body.code).toBe("other_user");
    expect((await ann.get("user/")).status).toBe(200);
  });

  test("refuses a call of a page that shows another user, and changes nothing", async () => {
    const shown = (id: number) => ({ headers: { "X-Limn-User": String(id) } });
    const refused = await ann.delete(`image/${imageId}`, shown(ann.id + 1));
    expect([refused.status, refused.body.code]).toEqual([409, "other_user"]);
    expect((await ann.get(`annotator/data/${imageId}`, shown(ann.id))).status).toBe(200);
  });

  test("refuses every call that names another installation, before any lookup", async () => {
    const named = { headers: { "X-Limn-Installation": await idNow() } };
    expect((await ann.get(`annotator/data/${imageId}`, named)).status).toBe(200);
    await renew();
    // An id is cached for a second.
    await expect.poll(async () => (await ann.get("user/", named)).status).toBe(409);
    for (const [method, path] of [
      ["GET", `annotator/data/${imageId}`],
      ["GET", `annotator/edits/${imageId}`],
      ["DELETE", `image/${imageId}`],
    ] as const) {
      const answer = await ann.request(method, path, named);
      expect([answer.status, answer.body], path).toEqual([409, OTHER]);
    }
    expect(
      (await ann.get(`annotator/data/${imageId}`, { headers: { "X-Limn-Installation": await idNow() } })).status,
    ).toBe(200);
  });

  describe("a page of the original client that was open", () => {
    let client: OriginalClient;
    let id: number;
    beforeEach(async () => {
      const { body } = await ann.post("category/", { name: randomUUID() });
      imageId = await seedImage(server.db, await seedDataset(server.db, { ownerId: ann.id, categories: [body.id] }));
      const square = [20, 20, 60, 20, 60, 60, 20, 60];
      const posted = { image_id: imageId, category_id: body.id, segmentation: [square] };
      id = (await ann.post("annotation/", posted)).body.id;
      client = await new OriginalClient(server, ann).open(imageId);
      client.get(id).move(30, 30);
    });
    const forgetScenes = () => sql`delete from sent_scenes`.execute(server.db);
    const boxes = async () => {
      const { body } = await ann.get(`annotator/data/${imageId}?shape=rings`);
      return body.categories.flatMap((each: { annotations: { bbox: number[] }[] }) => each.annotations.map(boxOf));
    };
    const boxOf = ({ bbox }: { bbox: number[] }) => String(bbox.slice(0, 2));

    test("has its save refused, and nothing of it is stored", async () => {
      await forgetScenes();
      await renew();
      const refused = await client.trySave();
      expect([refused.status, refused.body]).toEqual([409, OTHER]);
      expect(await boxes()).toEqual(["20,20"]);
      await client.open(imageId);
      client.get(id).move(30, 30);
      await client.save();
      expect(await boxes()).toEqual(["50,50"]);
    });

    test("has its save stored if it was sent before pages got the id, as long as its scene is known", async () => {
      delete client.dataset.installation;
      await client.save();
      expect(await boxes()).toEqual(["50,50"]);
      await forgetScenes();
      expect((await client.trySave()).status).toBe(409);
      expect(await boxes()).toEqual(["50,50"]);
    });

    test("gets the new id when it loads the image again, although nothing else has changed", async () => {
      const ask = (tag = "") => ann.get(`annotator/data/${imageId}`, { headers: { "If-None-Match": tag } });
      const first = await ask();
      const tag = first.headers.get("etag") ?? "";
      expect((await ask(tag)).status).toBe(304);
      await renew();
      const { status, body } = await ask(tag);
      expect([status, body.dataset.installation]).toEqual([200, await idNow()]);
    });
  });
});
