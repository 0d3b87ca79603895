import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../../server/routes";
import { openEmbedded, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";
import type { Answer, TestClient } from "../../support/testClient";
import { type Fixture, makeFixture, makePeople, type People, ROLES, type Role } from "./fixture";
import { type May, matrix, type Row } from "./matrix";

const served = new Set(routes.map(({ call }) => call));
const rows = matrix.filter(({ call }) => served.has(call));

/** What somebody with this role is answered; undefined stands for anything but a refusal. */
function expected({ may }: Row, role: Role): number | undefined {
  if (may === "everybody") return undefined;
  if (role === "visitor" || role === "deleted account") return 401;
  if (may === "admins") return role === "admin" ? undefined : 403;
  if (may === "owner") return role === "owner" ? undefined : 404;
  if (may === "users" || role === "owner" || role === "admin") return undefined;
  if (role !== "member") return 404;
  if (may === "members") return undefined;
  return may === "taskOwners" ? 404 : 403;
}

describe("rights", () => {
  let database: TestDatabase;
  let server: TestServer;
  let people: People;
  beforeAll(async () => {
    database = await openEmbedded();
    server = await startServer(database);
    people = await makePeople(server);
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  test("every route has its row", () => {
    const known = new Set(matrix.map(({ call }) => call));
    expect(known.size).toBe(matrix.length);
    expect([...served].filter((call) => !known.has(call)).map((call) => call.path)).toEqual([]);
  });

  for (const row of rows)
    test(`${row.call.method} ${row.call.path}: ${row.may}`, async () => {
      for (const role of ROLES) {
        const fixture = await makeFixture(server, people);
        if (role === "ex-member") await joinAndLeave(fixture);
        expectAnswer(row, role, await ask(people.cast[role], row, fixture));
      }
    });

  test("nobody reaches what is in a deleted dataset, nor what is deleted itself", async () => {
    const apart: May[] = ["everybody", "users", "creators", "owner", "admins"];
    const onObjects = rows.filter(({ may }) => !apart.includes(may));
    for (const row of onObjects.filter(({ call }) => call.path !== "/category/{id}"))
      for (const role of ["member", "owner", "admin"] as const) {
        const fixture = await makeFixture(server, people);
        await server.db
          .updateTable("datasets")
          .set({ deleted_at: new Date() })
          .where("id", "=", fixture.dataset)
          .execute();
        const { status } = await ask(people.cast[role], row, fixture);
        if (row.may !== "taskOwners") expect(status, `${role} ${row.call.path}`).toBe(404);
      }
  });

  test("an export or import of another dataset is not reached through an own one", async () => {
    const mine = await makeFixture(server, people);
    const owned = await people.cast.stranger.post("dataset/", { name: `own ${mine.dataset}` });
    for (const row of rows.filter(({ call }) => /\{(exportId|importId)\}/.test(call.path))) {
      const swapped = { ...mine, dataset: owned.body.id };
      expect((await ask(people.cast.stranger, row, swapped)).status, row.call.path).toBe(404);
    }
  });

  async function joinAndLeave(fixture: Fixture): Promise<void> {
    const { owner } = people;
    await owner.post(`dataset/${fixture.dataset}/share`, { users: ["member", "exmember"] });
    await owner.post(`dataset/${fixture.dataset}/share`, { users: ["member"] });
  }
});

function expectAnswer(row: Row, role: Role, answer: Answer): void {
  const status = expected(row, role);
  const what = `${role}: ${row.call.method} ${row.call.path} -> ${answer.status} ${answer.text.slice(0, 200)}`;
  if (status !== undefined) expect(answer.status, what).toBe(status);
  else expect([401, 403, 404, 405, 500, 503], what).not.toContain(answer.status);
}

function ask(client: TestClient, { call, request }: Row, fixture: Fixture): Promise<Answer> {
  const { path = {}, query = "", ...more } = request?.(fixture) ?? {};
  const filled = call.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(path[name]));
  const body = call.method === "GET" ? {} : { json: more.body ? undefined : {}, ...more };
  // A try may change who is logged in.
  return client.copy().request(call.method, `${filled.slice(1)}${query}`, body);
}
