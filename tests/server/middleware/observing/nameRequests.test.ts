import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOG_OPTIONS } from "../../../../server/base/log";
import { openEither, type TestDatabase } from "../../../support/databases";
import { startServer, type TestServer } from "../../../support/server";

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe("ids of requests", () => {
  const lines: { msg: string; request?: string; level: number; path?: string; status?: number }[] = [];
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await openEither();
    const readiness = { requireDatabase: () => Promise.reject(new Error("a bug")), requireReady: () => undefined };
    const write = (line: string) => void lines.push(JSON.parse(line));
    server = await startServer(database, {
      services: { log: pino({ ...LOG_OPTIONS, level: "debug" }, { write }), readiness: readiness as never },
    });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });
  const requestIdOf = async (sent: string) =>
    (await server.visitor().get("info/", { headers: { "X-Request-Id": sent } })).headers.get("X-Request-Id");

  test("a well-formed id is used", async () => {
    for (const id of ["a", "0f9d6c1e-6f3a-4b1c-9d52-0a1f6c8f1f11", "4bf92f3577b34da6a3ce929d0e0e4736", "abc+/=:1.2_3"])
      expect(await requestIdOf(id)).toBe(id);
  });

  test("a missing or malformed id is replaced by a new one for each request", async () => {
    const made = [];
    for (const bad of ["", "a b", '"x"', "<b>", "x".repeat(129), "a,b"]) made.push(await requestIdOf(bad));
    for (const id of made) expect(id).toMatch(UUID);
    expect(new Set(made).size).toBe(made.length);
  });

  test("files and refused requests have one too", async () => {
    for (const path of ["/favicon.ico", "/api/nothing", "/api/dataset/"])
      expect((await server.visitor().fetch("GET", path)).headers.get("X-Request-Id"), path).toMatch(UUID);
  });

  test("an unexpected error is logged under the request's id, which the response contains", async () => {
    const { status, body } = await server.visitor().get("health", { headers: { "X-Request-Id": "mine" } });
    expect(status).toBe(500);
    expect(body).toEqual({ message: expect.stringContaining("Something went wrong"), request_id: "mine" });
    expect(lines.filter(({ level }) => level === 50)).toMatchObject([{ request: "mine", msg: "unexpected error" }]);
  });

  test("at the level debug each request is logged with its status", async () => {
    await server.visitor().get("info/", { headers: { "X-Request-Id": "seen" } });
    const line = { msg: "request", request: "seen", method: "GET", path: "/api/info/", status: 200 };
    await expect.poll(() => lines).toContainEqual(expect.objectContaining(line));
  });

  test("responses of refusals stay as older clients know them, without an id in the body", async () => {
    expect((await server.visitor().get("dataset/")).body).toEqual({ message: "Authorization required" });
  });
});
