import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../../server/routes";
import type { Call } from "../../../shared/api/protocol/call";
import { openEither, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";
import type { RequestMore, TestClient, TestResponse } from "../../support/testClient";
import { type Fixture, makeFixture, makeTestUsers, type TestUsers } from "../rights/fixture";
import { pathOf, validRequest } from "../rights/requests";
import { keysOf, namesInPath } from "./hostile";

/**
 * Everything that HTTP itself allows, on every call, sent by an authorised user: methods, content types, encodings,
 * sizes, depths, malformed paths and queries. Invalid requests get 4xx and a message; no request gets 5xx.
 */

const MEGABYTE = 1_000_000;
const JSON_TYPE = { "Content-Type": "application/json" };
const bytes = (...list: number[]) => new Uint8Array(list);

describe("malformed HTTP", () => {
  let database: TestDatabase;
  let server: TestServer;
  let users: TestUsers;
  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database);
    users = await makeTestUsers(server);
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  for (const { call } of routes)
    test(`${call.method} ${call.path}`, async () => {
      const fixture = await makeFixture(server, users);
      const client = call.access === "admin" ? users.cast.admin : users.owner;
      for (const { path, method, ...more } of refused(call, fixture))
        await expectRefusal(client, method ?? call.method, path, more);
      for (const { path, method, ...more } of odd(call, fixture)) await ask(client, method ?? call.method, path, more);
    });
});

interface Sent extends RequestMore {
  path: string;
}

async function ask(client: TestClient, method: string, path: string, more: RequestMore): Promise<TestResponse> {
  const answer = await client.copy().request(method, path, more);
  const what = `${method} ${path.slice(0, 100)} ${JSON.stringify(more.headers)} -> ${answer.text.slice(0, 200)}`;
  expect(answer.status, what).toBeLessThan(500);
  if (answer.status >= 400 && method !== "HEAD") expect(answer.body?.message, what).toEqual(expect.any(String));
  return answer;
}

async function expectRefusal(client: TestClient, method: string, path: string, more: RequestMore): Promise<void> {
  const { status } = await ask(client, method, path, more);
  const what = `${method} ${path.slice(0, 100)} ${JSON.stringify(more.headers)} ${String(more.body).slice(0, 50)}`;
  expect(status, what).toBeGreaterThanOrEqual(400);
}

/** Yields invalid requests. */
function* refused(call: Call, fixture: Fixture): Generator<Sent> {
  const right = validRequest(call, fixture);
  const path = pathOf(call, right.path) + (right.query ?? "");
  yield { path, method: "OPTIONS" };
  yield { path, method: "PROPFIND" };
  if (call.changes && call.method === "GET") yield { path, method: "HEAD" };
  for (const name of namesInPath(call))
    for (const text of ["%", "%ff", "%c0%ae%c0%ae", "%2e%2e%2f", "%00", "%E2%80%AE"])
      yield {
        path: pathOf(call, { ...right.path, [name]: `9${text}` }),
        ...(call.method === "GET" ? {} : { body: "{}" }),
      };
  if (call.upload) yield* badForms(path);
  else if (call.body) yield* badBodies(call, path);
}

function* badBodies(call: Call, path: string): Generator<Sent> {
  if (!call.raw) {
    for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data"])
      yield { path, body: "{}", headers: { "Content-Type": type } };
    yield { path, body: bytes(0x7b, 0x7d), headers: { "Content-Type": "" } };
  }
  for (const body of [
    bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0),
    bytes(0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d),
    bytes(0),
  ])
    yield { path, body, headers: JSON_TYPE };
  for (const depth of [33, 1_000, 200_000])
    yield { path, body: `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`, headers: JSON_TYPE };
  yield { path, body: "[".repeat(100_000), headers: JSON_TYPE };
  yield { path, body: new Uint8Array(gzipSync("{}")), headers: { ...JSON_TYPE, "Content-Encoding": "gzip" } };
  const most = call.maxBody ?? MEGABYTE;
  if (most <= MEGABYTE) yield { path, body: `{"x":"${"x".repeat(most)}"}`, headers: JSON_TYPE };
}

function* badForms(path: string): Generator<Sent> {
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
    yield { path, body: "image=x", headers: { "Content-Type": type } };
  yield { path, body: bytes(0xff, 0xfe), headers: { "Content-Type": "multipart/form-data; boundary=x" } };
  yield { path, body: new FormData() };
}

/** Yields requests that are unusual but may be accepted. */
function* odd(call: Call, fixture: Fixture): Generator<Sent> {
  const right = validRequest(call, fixture);
  const path = pathOf(call, right.path);
  const more: RequestMore = call.method === "GET" ? {} : right.body ? { body: right.body } : { json: right.json ?? {} };
  if (call.method === "GET") yield { path, method: "HEAD" };
  for (const query of [
    "?%",
    "?%ff=%ff",
    "?=",
    "?&&&",
    "?a[b]=1&a[b]=2",
    "?__proto__=1",
    "?x=%00",
    `?${"a=1&".repeat(2_000)}`,
  ])
    yield { path: path + query, ...more };
  for (const key of keysOf(call.query))
    for (const values of ["=1&{}=x", "=%ff", "[]=1", "[a]=1", "=1&{}=2"])
      yield { path: `${path}?${key}${values.replaceAll("{}", key)}`, ...more };
  if (!call.body || call.upload) return;
  const known = (right.json ?? {}) as object;
  const unknown = { unknown: 1, "a.b": [], "": null, constructor: {}, id: -1, deleted: true, is_admin: true };
  yield { path: path + (right.query ?? ""), json: { ...unknown, ...known } };
  yield {
    path,
    body: `\ufeff${JSON.stringify(known)}`,
    headers: { "Content-Type": "application/json; charset=utf-16" },
  };
}
