import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Schema } from "../../../server/db/schema";
import { listTables } from "../../../server/db/tables";
import { calls } from "../../../shared/api";
import { describeOnOneDatabase } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";
import type { TestClient } from "../../support/testClient";
import { type Fixture, makeFixture, makeTestUsers } from "../rights/fixture";
import { pathOf, validRequest } from "../rights/requests";

const changing = calls.filter(({ method, changes }) => changes || method !== "GET");

/** Body types that a form or a script of another site may send without asking the server first (CORS). */
const TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];

/**
 * Every declared call that changes something, sent by pages of other sites with the cookie of a user who may make it.
 */
describeOnOneDatabase("calls from pages of other sites", (open) => {
  let server: TestServer;
  let fixture: Fixture;
  let owner: TestClient;
  let admin: TestClient;
  beforeAll(async () => {
    server = await startServer(await open());
    const users = await makeTestUsers(server);
    fixture = await makeFixture(server, users);
    owner = users.cast.owner;
    admin = users.cast.admin;
  });
  afterAll(() => server.close());

  const foreign = (): Record<string, string>[] => {
    const { origin, port } = new URL(server.url);
    return [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: `${origin}.evil.example` },
      { Origin: `http://127.0.0.1:${Number(port) + 1}` },
      { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" },
      { Origin: "https://evil.example", "X-HTTP-Method-Override": "GET" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate" },
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", Origin: origin },
    ];
  };

  test("are refused, whatever headers and body they have, and change nothing", async () => {
    const before = await digest(server.db);
    for (const call of changing)
      for (const [i, headers] of foreign().entries()) {
        const { path, query = "" } = validRequest(call, fixture);
        const caller = (call.access === "admin" ? admin : owner).copy();
        caller.headers = {};
        const body = call.method === "GET" ? {} : { body: '{"name":"made"}' };
        const type: Record<string, string> =
          call.method === "GET" ? {} : { "Content-Type": TYPES[i % TYPES.length] ?? "" };
        const target = pathOf(call, path ?? { ...fixture, id: fixture.dataset }) + query;
        const answer = await caller.request(call.method, target, { ...body, headers: { ...headers, ...type } });
        const what = `${call.method} ${call.path} ${JSON.stringify(headers)}: ${answer.text.slice(0, 200)}`;
        expect(answer.status, what).toBe(403);
        expect(answer.headers.get("access-control-allow-origin"), what).toBeNull();
      }
    expect(await digest(server.db)).toEqual(before);
  });
});

/** Returns a digest of each table's rows. */
async function digest(db: Kysely<Schema>): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const { name } of await listTables(db)) {
    const { rows } = await sql<{ md5: string }>`
      select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as md5 from ${sql.table(name)} t`.execute(db);
    digests[name] = rows[0]?.md5 ?? "";
  }
  return digests;
}
