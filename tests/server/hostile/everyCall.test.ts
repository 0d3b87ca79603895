import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { api, calls } from "../../../shared/api";
import type { Call } from "../../../shared/api/protocol/call";
import { describeOnOneDatabase } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";
import type { TestResponse } from "../../support/testClient";
import { expectedStatus } from "../rights/expected";
import { type Fixture, makeFixture, makeTestUsers, type TestUsers } from "../rights/fixture";
import { matrix } from "../rights/matrix";
import { pathOf, validRequest } from "../rights/requests";
import { type Caller, invalidCallers, setPasswords, validCallers } from "./callers";

/** Texts in everything invisible to strangers, and in what only the owner sees. */
const FOREIGN = "foreign-secret";
const PRIVATE = "owner-only";

/**
 * Every declared call, including new ones without a row, for every caller: the right status, and no data of another
 * user.
 */
describeOnOneDatabase("access to every call", (open) => {
  let server: TestServer;
  let users: TestUsers;
  beforeAll(async () => {
    server = await startServer(await open(), { env: { TRUST_PROXY: "true" } });
    users = await makeTestUsers(server);
    await setPasswords(server, users);
  });
  afterAll(() => server.close());

  for (const call of calls)
    test(`${call.method} ${call.path}`, async () => {
      await server.db.deleteFrom("attempts").execute();
      await tryAll(call, "broken");
      await tryAll(call, "right");
    });

  /** A successful attempt may have changed the fixture, so that the next one gets a new fixture. */
  async function tryAll(call: Call, which: "broken" | "right"): Promise<void> {
    const make = which === "broken" ? invalidCallers : validCallers;
    let fixture = await makePrivateFixture();
    let callers = await make(server, users);
    for (let i = 0; i < callers.length; i++) {
      const caller = callers[i];
      if (!caller) continue;
      const answer = await ask(call, caller, fixture);
      expectRight(call, caller, answer);
      const mayChange = call.method !== "GET" || call.changes;
      if (answer.status >= 400 || !mayChange) continue;
      fixture = await makePrivateFixture();
      callers = await make(server, users);
    }
  }

  /** Creates a fixture whose texts mark it as private. */
  async function makePrivateFixture(): Promise<Fixture> {
    const fixture = await makeFixture(server, users);
    const { db } = server;
    const metadata = JSON.stringify({ [FOREIGN]: FOREIGN });
    const { dataset, image, annotation } = fixture;
    await sql`update datasets set name = ${`${FOREIGN} ${dataset}`}, default_annotation_metadata = ${metadata}::jsonb
      where id = ${dataset}`.execute(db);
    await sql`update images set file_name = ${`${FOREIGN}.jpg`}, metadata = ${metadata}::jsonb, extra = ${metadata}::jsonb
      where id = ${image}`.execute(db);
    await sql`update annotations set metadata = ${metadata}::jsonb where id = ${annotation}`.execute(db);
    await sql`update tasks set name = ${FOREIGN} where dataset_id = ${dataset}`.execute(db);
    await sql`update imports set file_name = ${FOREIGN} where dataset_id = ${dataset}`.execute(db);
    await sql`update exports set tags = ${JSON.stringify([PRIVATE])}::jsonb where dataset_id = ${dataset}`.execute(db);
    await sql`update users set email = ${PRIVATE} where id = ${users.owner.id}`.execute(db);
    return fixture;
  }
});

function ask(call: Call, { client }: Caller, fixture: Fixture): Promise<TestResponse> {
  const { path, query = "", ...more } = validRequest(call, fixture);
  const body = call.method === "GET" ? {} : { json: more.body ? undefined : {}, ...more };
  return client.copy().request(call.method, pathOf(call, path ?? guessInputs(call, fixture)) + query, body);
}

/** Returns inputs for a call without a row: a name in its path is looked up in the fixture. */
const guessInputs = ({ path }: Call, fixture: Fixture): Record<string, unknown> => {
  const [, group = ""] = /^\/(\w+?)s?\//.exec(path) ?? [];
  const all: Record<string, unknown> = { ...fixture, id: fixture[group as keyof Fixture] ?? fixture.dataset };
  return { ...all, imageId: fixture.image, datasetId: fixture.dataset, username: fixture.account };
};

function expectRight(call: Call, caller: Caller, answer: TestResponse): void {
  const { role, name } = caller;
  const what = `${name}: ${call.method} ${call.path} -> ${answer.status} ${answer.text.slice(0, 200)}`;
  expect(answer.status, what).toBeLessThan(500);
  expect(answer.status, what).not.toBe(429);
  const row = matrix.find((each) => each.call === call);
  const isBarred = call === api.token.createToken && name.endsWith("by token");
  const status = isBarred ? 403 : row ? expectedStatus(row, role, "live") : statusWithoutRow(call, role);
  if (status !== undefined) expect(answer.status, what).toBe(status);
  else if (row) expect([401, 403, 404, 405], what).not.toContain(answer.status);
  if (answer.status >= 400) expect(answer.body?.message, what).toEqual(expect.any(String));
  if (role === "visitor" || role === "stranger") expect(answer.text, what).not.toContain(FOREIGN);
  // Users see their own tokens in these calls.
  if (role !== "owner" && role !== "admin" && !call.path.startsWith("/user/tokens"))
    expect(answer.text, what).not.toContain(PRIVATE);
  expect(answer.text, what).not.toMatch(/password_hash|argon2|node_modules| at \w+ \(/);
}

/** Returns the expected status of a call without a row: no new call may admit a role that its declaration excludes. */
function statusWithoutRow({ access }: Call, role: Caller["role"]): number | undefined {
  if (access === "public") return undefined;
  if (role === "visitor") return 401;
  return access === "admin" && role !== "admin" ? 403 : undefined;
}
