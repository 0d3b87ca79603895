import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../../server/routes";
import { openEither, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";
import type { TestClient, TestResponse } from "../../support/testClient";
import { expectedStatus, type State, statesOf } from "./expected";
import { type Fixture, makeFixture, makeTestUsers, moveToTrash, ROLES, type Role, type TestUsers } from "./fixture";
import { matrix, type Row } from "./matrix";
import { pathOf } from "./requests";

const served = new Set(routes.map(({ call }) => call));
const rows = matrix.filter(({ call }) => served.has(call));

/** Every route, for every role, in every state of its subject, with login enabled and disabled. */
describe("rights", () => {
  let database: TestDatabase;
  let server: TestServer;
  let open: TestServer;
  let users: TestUsers;
  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database);
    open = await startServer(database, { env: { LOGIN_DISABLED: "true", DATA_DIR: server.env.DATA_DIR } });
    users = await makeTestUsers(server, open);
  });
  afterAll(async () => {
    await server.close();
    await open.close();
    await database.close();
  });

  test("every route has a row in the matrix", () => {
    const known = new Set(matrix.map(({ call }) => call));
    expect(known.size).toBe(matrix.length);
    expect([...served].filter((call) => !known.has(call)).map((call) => call.path)).toEqual([]);
  });

  for (const row of rows)
    test(`${row.call.method} ${row.call.path}: ${row.may}`, async () => {
      const live = await makeFixture(server, users);
      for (const state of statesOf(row, live)) await tryAll(row, state);
    });

  /** A successful attempt may have changed the fixture, so that the next one gets a new fixture. */
  async function tryAll(row: Row, state: State): Promise<void> {
    let fixture: Fixture | undefined;
    for (const role of ROLES) {
      fixture ??= await inState(state);
      if (role === "ex-member" && state === "live") await joinAndLeave(fixture);
      const answer = await ask(users.cast[role], row, fixture);
      expectAnswer(row, role, state, answer);
      const mayChange = row.call.method !== "GET" || row.call.changes;
      if (answer.status < 400 && mayChange) fixture = undefined;
    }
  }

  async function inState(state: State): Promise<Fixture> {
    const fixture = await makeFixture(server, users);
    if (state !== "live") await moveToTrash(server, state, fixture);
    return fixture;
  }

  test("an export or import of another dataset cannot be reached through one's own", async () => {
    const mine = await makeFixture(server, users);
    const owned = await users.cast.stranger.post("dataset/", { name: `own ${mine.dataset}` });
    for (const row of rows.filter(({ call }) => /\{(exportId|importId)\}/.test(call.path))) {
      const swapped = { ...mine, dataset: owned.body.id };
      expect((await ask(users.cast.stranger, row, swapped)).status, row.call.path).toBe(404);
    }
  });

  async function joinAndLeave(fixture: Fixture): Promise<void> {
    const { owner } = users;
    await owner.post(`dataset/${fixture.dataset}/share`, { add: ["exmember"] });
    await owner.post(`dataset/${fixture.dataset}/share`, { remove: ["exmember"] });
  }
});

function expectAnswer(row: Row, role: Role, state: State, answer: TestResponse): void {
  const status = expectedStatus(row, role, state);
  const where = state === "live" ? "live" : `${state} in the trash`;
  const what = `${role}, ${where}: ${row.call.method} ${row.call.path} -> ${answer.status} ${answer.text.slice(0, 200)}`;
  if (status !== undefined) expect(answer.status, what).toBe(status);
  else expect([401, 403, 404, 405, 500, 503], what).not.toContain(answer.status);
}

function ask(client: TestClient, { call, request }: Row, fixture: Fixture): Promise<TestResponse> {
  const { path = {}, query = "", ...more } = request?.(fixture) ?? {};
  const body = call.method === "GET" ? {} : { json: more.body ? undefined : {}, ...more };
  // An attempt may change the session.
  return client.copy().request(call.method, `${pathOf(call, path)}${query}`, body);
}
