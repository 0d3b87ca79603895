import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../../server/routes";
import type { Call } from "../../../shared/api/protocol/call";
import { openEither, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import type { RequestMore, TestClient } from "../../support/testClient";
import { type Fixture, makeFixture, makeTestUsers, type TestUsers } from "../rights/fixture";
import { pathOf, validRequest } from "../rights/requests";
import { HOSTILE_JSON, HOSTILE_TEXT, keysOf, namesInPath } from "./hostile";

/**
 * Invalid input on every call: every hostile value for every path parameter, query key and body key, one at a time. No
 * response is 5xx, an error has a message, and without rights nothing changes.
 */

const TABLES = [
  "users",
  "datasets",
  "dataset_members",
  "dataset_categories",
  "categories",
  "images",
  "annotations",
  "exports",
  "imports",
];
/** These calls end the sender's session or change its password when they succeed. */
const left = routes.filter(({ call }) => !["/user/logout"].includes(call.path));

describe("invalid input", () => {
  let database: TestDatabase;
  let server: TestServer;
  let users: TestUsers;
  let fixture: Fixture;
  let stranger: TestClient;
  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database);
    users = await makeTestUsers(server);
    fixture = await makeFixture(server, users);
    stranger = users.cast.stranger;
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  for (const { call } of left)
    test(`${call.method} ${call.path}`, async () => {
      const before = await snapshot();
      for (const request of requestsFor(call, fixture)) await expectNoServerError(stranger, call, request);
      expect(await snapshot()).toEqual(before);
      for (const request of requestsFor(call, await makeFixture(server, users)))
        await expectNoServerError(call.access === "admin" ? users.cast.admin : users.owner, call, request);
      expect((await server.visitor().get("health")).status).toBe(200);
    });

  /** Returns all data of the owner. */
  async function snapshot(): Promise<unknown> {
    const { id } = users.owner as TestUser;
    const of: Record<string, string> = {
      users: `id = ${id}`,
      datasets: `owner_id = ${id}`,
      categories: `creator_id = ${id}`,
    };
    const parts: Record<string, unknown> = {};
    for (const table of TABLES) {
      const own =
        of[table] ?? (table === "annotations" ? `image_id = ${fixture.image}` : `dataset_id = ${fixture.dataset}`);
      const { rows } = await sql
        .raw(`select md5(string_agg(t::text, '|' order by t::text)) as sum from ${table} t where ${own}`)
        .execute(database.db);
      parts[table] = rows;
    }
    return parts;
  }
});

interface Bad extends RequestMore {
  path: string;
}

async function expectNoServerError(client: TestClient, call: Call, { path, ...more }: Bad): Promise<void> {
  const answer = await client.copy().request(call.method, path, more);
  const what = `${call.method} ${path.slice(0, 200)} ${String(more.body).slice(0, 200)} -> ${answer.text.slice(0, 300)}`;
  expect(answer.status, what).toBeLessThan(500);
  if (answer.status < 400) return;
  expect(answer.body?.message, what).toEqual(expect.any(String));
  expect(answer.text, what).not.toMatch(/node_modules|at \w+ \(|select |insert |violates|\/server\//i);
}

/** Yields requests with one hostile value that are valid otherwise. */
function* requestsFor(call: Call, fixture: Fixture): Generator<Bad> {
  const right = validRequest(call, fixture);
  const json = { "Content-Type": "application/json" };
  const rest = { body: right.body ?? right.json, headers: json };
  const sent = (): RequestMore => (call.method === "GET" ? {} : right.body ? { body: right.body } : bodyOf(rest.body));

  for (const name of namesInPath(call))
    for (const text of HOSTILE_TEXT)
      if (text.trim() && !/^\.+/.test(text))
        yield { path: pathOf(call, { ...right.path, [name]: encodeURIComponent(text) }), ...sent() };

  for (const key of keysOf(call.query))
    for (const text of HOSTILE_TEXT)
      yield { path: `${pathOf(call, right.path)}?${key}=${encodeURIComponent(text)}`, ...sent() };

  if (call.upload) yield* uploadsFor(call, pathOf(call, right.path));
  else if (call.body) yield* bodiesFor(call, right.json, pathOf(call, right.path), json);
}

function* bodiesFor(call: Call, right: unknown, path: string, headers: Record<string, string>): Generator<Bad> {
  for (const value of [...HOSTILE_JSON, "", "{", "\u0000", '{"a":1}{"b":2}']) yield { path, body: value, headers };
  for (const key of keysOf(call.body))
    for (const value of HOSTILE_JSON) {
      const others = Object.entries(right ?? {}).filter(([name]) => name !== key);
      const parts = others.map(([name, other]) => `${JSON.stringify(name)}:${JSON.stringify(other)}`);
      yield { path, body: `{${[...parts, `${JSON.stringify(key)}:${value}`].join()}}`, headers };
    }
}

function* uploadsFor({ upload, body }: Call, path: string): Generator<Bad> {
  const field = upload?.field ?? "";
  const multipart = { "Content-Type": "multipart/form-data; boundary=b" };
  yield { path, body: "", headers: multipart };
  yield { path, body: "nonsense", headers: multipart };
  yield { path, body: "--b\r\n\r\n", headers: multipart };
  yield {
    path,
    body: `--b\r\nContent-Disposition: form-data; name="${field}"; filename="x"\r\n\r\ncut`,
    headers: multipart,
  };
  yield { path, body: "{}", headers: { "Content-Type": "multipart/form-data" } };
  yield { path, body: "{}", headers: { "Content-Type": "application/json" } };
  yield { path, body: formOf("other", "x.png", {}) };
  for (const name of [
    "",
    "x",
    "../../x.png",
    "a/b.png",
    "\u0000.png",
    "x.svg",
    "x.zip",
    "x.json",
    `${"n".repeat(300)}.png`,
  ])
    yield { path, body: formOf(field, name, {}) };
  for (const key of keysOf(body))
    for (const text of HOSTILE_TEXT) yield { path, body: formOf(field, "x.png", { [key]: text }) };
  yield { path, body: formOf(field, "x.png", { ["__proto__"]: "x", constructor: "y", toString: "z" }) };
}

function formOf(field: string, name: string, fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append(field, new Blob(["no image"]), name);
  return form;
}

function bodyOf(json: unknown): RequestMore {
  return { body: JSON.stringify(json ?? {}), headers: { "Content-Type": "application/json" } };
}
