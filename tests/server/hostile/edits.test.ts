import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_EDITS } from "../../../shared/constants";
import { describeOnDatabases } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";
import type { TestClient, TestResponse } from "../../support/testClient";
import { type Fixture, makeFixture, makeTestUsers, type TestUsers } from "../rights/fixture";
import { HOSTILE_JSON } from "../sweep/hostile";
import { type Caller, idOf, invalidCallers, setPasswords, validCallers } from "./callers";

const SECRET = "foreign-secret";
const RING = [1, 1, 30, 1, 30, 30, 1, 30];

/** `POST /api/annotator/edits` from users without a right to what they name. */
describeOnDatabases("edits of other users' data", (open) => {
  let server: TestServer;
  let users: TestUsers;
  /** Belongs to the owner, whom the stranger attacks. */
  let theirs: Fixture;
  let target: string;
  /** Uuid of a stored edit of the owner, and of the tab that sent it. */
  let storedEdit: string;
  let ownersTab: string;
  /** Belongs to the stranger. */
  let mine: { image: number; category: number; annotation: string };

  beforeAll(async () => {
    server = await startServer(await open(), { env: { TRUST_PROXY: "true" } });
    users = await makeTestUsers(server);
    await setPasswords(server, users);
    theirs = await makeFixture(server, users);
    const own = await makeFixture(server, { ...users, owner: users.cast.stranger as TestUsers["owner"] });
    const { db } = server;
    // Otherwise the fixture's members would see it.
    await db.deleteFrom("dataset_members").where("dataset_id", "=", own.dataset).execute();
    target = await uuidOf(theirs.annotation);
    mine = { image: own.image, category: own.category, annotation: await uuidOf(own.annotation) };
    ownersTab = `tab-${randomUUID()}`;
    storedEdit = randomUUID();
    const first = await users.owner.post("annotator/edits", {
      client: ownersTab,
      edits: [{ ...modify(), uuid: storedEdit, after: { metadata: { [SECRET]: SECRET } } }],
    });
    expect(first.body.answers, first.text).toMatchObject([{ status: "applied" }]);
  });
  afterAll(() => server.close());

  const uuidOf = async (id: number) =>
    (await server.db.selectFrom("annotations").select("uuid").where("id", "=", id).executeTakeFirstOrThrow()).uuid;

  /** Returns a change of the owner's annotation. */
  const modify = (more: object = {}) => ({
    uuid: randomUUID(),
    image_id: theirs.image,
    base: 1,
    subject: "annotation",
    target,
    action: "modify",
    before: {},
    after: { color: "#ff0000" },
    ...more,
  });
  const create = (more: object = {}) => ({
    ...modify(),
    base: 0,
    target: randomUUID(),
    action: "create",
    after: { category_id: theirs.category, rings: [[RING]], isbbox: false, color: "#00ff00", metadata: {} },
    ...more,
  });
  const ofImage = (more: object = {}) => ({
    uuid: randomUUID(),
    image_id: theirs.image,
    base: 1,
    subject: "image",
    action: "modify",
    before: {},
    after: { metadata: { stolen: true }, labels: [] },
    ...more,
  });
  const ofCategory = (more: object = {}) => ({
    uuid: randomUUID(),
    image_id: theirs.image,
    base: 1,
    subject: "category",
    target: theirs.category,
    action: "modify",
    before: {},
    after: { color: "#123456" },
    ...more,
  });

  /** Edits of the owner's data, one attack each. */
  const attacks = (): Record<string, object[]> => ({
    "on the image itself, at every revision": [0, 1, 2, 999].flatMap((base) => [
      modify({ base }),
      modify({ base, action: "delete", after: {} }),
      create({ base }),
      ofImage({ base }),
      ofCategory({ base }),
    ]),
    "on the owner's annotation by way of an own image": [0, 1, 2, 999].flatMap((base) => [
      modify({ base, image_id: mine.image }),
      modify({ base, image_id: mine.image, action: "delete", after: {} }),
      modify({ base, image_id: mine.image, action: "create", after: create().after }),
    ]),
    "on the owner's category by way of an own image": [ofCategory({ image_id: mine.image })],
    "of an own annotation, into the owner's category": [
      modify({ image_id: mine.image, target: mine.annotation, after: { category_id: theirs.category } }),
      create({ image_id: mine.image }),
      ofImage({ image_id: mine.image, after: { labels: [theirs.category] } }),
    ],
    "under the name of an edit of the owner's": [
      modify({ uuid: storedEdit }),
      modify({ uuid: storedEdit, image_id: mine.image, target: mine.annotation }),
    ],
    "of images that nobody has": [modify({ image_id: 999_999_999 }), create({ image_id: 2_147_483_647 })],
  });

  /** Returns all data of the owner. */
  async function snapshot(): Promise<unknown> {
    const { rows } = await sql`select
      (select md5(string_agg(t::text, '|' order by id)) from annotations t where image_id = ${theirs.image}) as annotations,
      (select md5(string_agg(t::text, '|' order by id)) from images t where id = ${theirs.image}) as images,
      (select md5(string_agg(t::text, '|' order by id)) from categories t where id = ${theirs.category}) as categories,
      (select count(*) from edit_history where image_id = ${theirs.image}) as history,
      (select count(*) from work_sessions where image_id = ${theirs.image}) as sessions,
      (select answer::text from edits where uuid = ${storedEdit}::uuid) as answer,
      (select preferences::text from users where id = ${idOf(users, "owner")}) as preferences`.execute(server.db);
    return rows;
  }

  const send = (client: TestClient, batch: object): Promise<TestResponse> =>
    client.copy().post("annotator/edits", batch);

  async function expectNothing(caller: Caller, what: string, batch: object): Promise<void> {
    const answer = await send(caller.client, batch);
    const said = `${caller.name}, ${what}: ${answer.status} ${answer.text.slice(0, 400)}`;
    expect(answer.status, said).toBeLessThan(500);
    expect(answer.text, said).not.toContain(SECRET);
    expect(answer.text, said).not.toContain("owner");
    if (caller.role === "visitor") expect(answer.status, said).toBe(401);
  }

  test("changes nothing and notifies no client, for any sender and transport", async () => {
    const before = await snapshot();
    const others = (await validCallers(server, users)).filter(({ role }) => role === "stranger" || role === "viewer");
    const nobody = (await invalidCallers(server, users)).slice(0, 6);
    for (const caller of [...others, ...nobody])
      for (const [what, edits] of Object.entries(attacks()))
        for (const client of [`tab-${randomUUID()}`, ownersTab])
          await expectNothing(caller, `${what}, as ${client}`, { client, edits });
    expect(await snapshot()).toEqual(before);
  });

  test("gets a response for each edit: no foreign edit is applied, but a valid one beside it is", async () => {
    const right = modify({ image_id: mine.image, target: mine.annotation, base: 1 });
    const foreign = [modify(), ofImage(), create()];
    const { status, body } = await send(users.cast.stranger, {
      client: `tab-${randomUUID()}`,
      edits: [...foreign, right],
    });
    expect(status).toBe(200);
    expect(body.answers.map((each: { status: string }) => each.status)).toEqual([
      "refused",
      "refused",
      "refused",
      "applied",
    ]);
  });

  test("a batch that claims the owner's identity is refused as a whole", async () => {
    const before = await snapshot();
    const batch = { client: `tab-${randomUUID()}`, user: idOf(users, "owner"), edits: [modify()] };
    expect((await send(users.cast.stranger, batch)).status).toBe(401);
    expect(await snapshot()).toEqual(before);
  });

  test("counts no work sessions on foreign images and annotations, and stores preferences for the sender only", async () => {
    const before = await snapshot();
    const session = {
      uuid: randomUUID(),
      image_id: theirs.image,
      annotation_uuid: target,
      start: 1,
      milliseconds: 1000,
    };
    const sessions = [
      { ...session, tools: ["x"] },
      { ...session, uuid: randomUUID(), image_id: mine.image, tools: [] },
      { ...session, uuid: randomUUID(), annotation_uuid: null, tools: [] },
    ];
    const batch = { client: `tab-${randomUUID()}`, edits: [], sessions, preferences: { mine: true } };
    expect((await send(users.cast.stranger, batch)).status).toBe(200);
    const viewers = { ...batch, client: `tab-${randomUUID()}` };
    expect((await send(users.cast.viewer, viewers)).status).toBe(200);
    expect(await snapshot()).toEqual(before);
  });

  test("an annotator's edits of a shared dataset are stored, by token and password as well", async () => {
    const members = (await validCallers(server, users)).filter(({ role }) => role === "annotator");
    for (const { client, name } of members) {
      const { body, text } = await send(client, { client: `tab-${randomUUID()}`, edits: [create()] });
      expect(body.answers?.[0]?.status, `${name}: ${text}`).toBe("applied");
    }
  });

  test("a batch with random values is refused or ignored, and the next valid edit is stored", async () => {
    const places = ["client", "user", "edits", "sessions", "preferences"];
    const right = { client: `tab-${randomUUID()}`, edits: [] };
    const headers = { "Content-Type": "application/json" };
    const raw = async (body: string) => {
      const answer = await users.owner.copy().request("POST", "annotator/edits", { body, headers });
      expect(answer.status, `${body.slice(0, 100)} -> ${answer.text.slice(0, 200)}`).toBeLessThan(500);
    };
    for (const value of HOSTILE_JSON) {
      for (const place of places) {
        const rest = Object.entries(right).filter(([key]) => key !== place);
        const parts = rest.map(([key, other]) => `${JSON.stringify(key)}:${JSON.stringify(other)}`);
        await raw(`{${[...parts, `"${place}":${value}`].join()}}`);
      }
      await raw(`{"client":"${right.client}","edits":[${value},${value}]}`);
      for (const key of Object.keys(modify())) {
        const whole = JSON.stringify({ ...modify(), [key]: "PLACE" }).replace('"PLACE"', () => value);
        await raw(`{"client":"${right.client}","edits":[${whole}]}`);
      }
    }
    const many = Array.from({ length: MAX_EDITS + 1 }, () => ofImage());
    expect((await send(users.owner, { ...right, edits: many })).status).toBe(400);
    const next = await send(users.owner, { ...right, edits: [create()] });
    expect(next.body.answers?.[0]?.status, next.text).toBe("applied");
  });
});
