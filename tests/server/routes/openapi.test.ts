import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "../../../shared/api";
import { openEmbedded, type TestDatabase } from "../../support/databases";
import { startServer, type TestServer } from "../../support/server";

describe("the page of the API", () => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await openEmbedded();
    server = await startServer(database, { env: { BASE_PATH: "limn", NAME: "<b>Limn" } });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  test("shows with files of this server alone, with and without the slash", async () => {
    for (const path of ["/limn/api", "/limn/api/"]) {
      const { status, text } = await server.visitor().get(path);
      expect(status).toBe(200);
      expect(text).not.toContain("<b>");
      const files = [...text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, file]) => file);
      expect(files).toHaveLength(4);
      for (const file of files) expect((await server.visitor().get(`/limn/api/${file}`)).status).toBe(200);
    }
  });

  test("gives away nothing else of the package", async () => {
    for (const file of ["package.json", "..%2fpackage.json", "index.html"])
      expect((await server.visitor().get(`docs/${file}`)).status).toBe(404);
  });

  test("describes every declared call, and every reference in it leads somewhere", async () => {
    const { body, text } = await server.visitor().get("openapi.json");
    for (const call of calls) {
      const operation = body.paths[call.path]?.[call.method.toLowerCase()];
      expect(operation, `${call.method} ${call.path}`).toMatchObject({ summary: call.summary });
      const named = (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === "path");
      expect(named).toHaveLength(call.path.match(/\{/g)?.length ?? 0);
    }
    const operations = Object.values(body.paths).flatMap((path) => Object.values(path as object));
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(calls.length);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(body.components.schemas).toHaveProperty([name as string]);
    expect(text).not.toContain("#/$defs");
  });
});
