import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "../../../../shared/api";
import { openEither, type TestDatabase } from "../../../support/databases";
import { startServer, type TestServer } from "../../../support/server";
import { openapi31 } from "./openapiSchema";

describe("the API page", () => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await openEither();
    server = await startServer(database, { env: { BASE_PATH: "limn", NAME: "<b>Limn" } });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  test("loads with files of this server alone, with and without the trailing slash", async () => {
    for (const path of ["/limn/api", "/limn/api/"]) {
      const { status, text } = await server.visitor().get(path);
      expect(status).toBe(200);
      expect(text).not.toContain("<b>");
      const files = [...text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, file]) => file);
      expect(files).toHaveLength(6);
      expect(text).toContain('<a href="/limn/">← Back to &#60;b&#62;Limn</a>');
      for (const file of files) expect((await server.visitor().get(`/limn/api/${file}`)).status).toBe(200);
    }
  });

  test("exposes no other file of the package", async () => {
    for (const file of ["package.json", "..%2fpackage.json", "index.html"])
      expect((await server.visitor().get(`docs/${file}`)).status).toBe(404);
  });

  test("describes every declared call, and every reference in it resolves", async () => {
    const { body, text } = await server.visitor().get("openapi.json");
    for (const call of calls) {
      const operation = body.paths[call.path]?.[call.method.toLowerCase()];
      expect(operation, `${call.method} ${call.path}`).toMatchObject({ summary: call.summary });
      const named = (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === "path");
      expect(named).toHaveLength(call.path.match(/\{/g)?.length ?? 0);
    }
    const operations = Object.values(body.paths).flatMap((path) => Object.values(path as object));
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(calls.length);
    const refs = [...text.matchAll(/"#\/components\/(schemas|responses)\/([^"]+)"/g)];
    for (const [, kind, name] of refs) expect(body.components[kind as string]).toHaveProperty([name as string]);
    expect(text).not.toContain("#/$defs");
  });

  test("lists the calls that return a revision, and those that accept one", async () => {
    const { paths } = (await server.visitor().get("openapi.json")).body;
    const { get, put, delete: remove } = paths["/annotation/{id}"];
    const headersOf = ({ parameters }: { parameters: { in: string; name: string }[] }) =>
      parameters.filter((each) => each.in === "header").map(({ name }) => name);
    expect([get, put, remove].map(headersOf)).toEqual([[], ["If-Match"], ["If-Match"]]);
    expect([get, put, remove].map(({ responses }) => Boolean(responses[412]))).toEqual([false, true, true]);
    expect(Object.keys(get.responses[200].headers)).toEqual(["ETag"]);
    expect(paths["/dataset/{id}"].delete.responses).not.toHaveProperty("412");
  });

  test("the document is valid OpenAPI 3.1", async () => {
    const { body } = await server.visitor().get("openapi.json");
    expect(openapi31.safeParse(body).error?.issues).toBeUndefined();
    const document = openapi31.parse(body);
    const schemes = Object.keys(document.components.securitySchemes);
    const tags = document.tags.map((tag) => tag.name);
    for (const [path, item] of Object.entries(document.paths))
      for (const operation of Object.values(item)) {
        const inPath = (operation.parameters ?? []).filter((each) => each.in === "path").map((each) => each.name);
        expect(inPath.sort(), path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
        for (const requirement of operation.security ?? document.security)
          for (const scheme of Object.keys(requirement)) expect(schemes).toContain(scheme);
        for (const tag of operation.tags) expect(tags).toContain(tag);
      }
    // Section 4.8.8.1: templated paths that differ only in the names of their parameters are one path.
    const bare = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}"));
    expect(new Set(bare).size).toBe(bare.length);
  });

  test("lists the errors of every call", async () => {
    const { body } = await server.visitor().get("openapi.json");
    for (const call of calls) {
      const { responses } = body.paths[call.path][call.method.toLowerCase()];
      expect(responses, call.path).toHaveProperty("200");
      expect(responses, call.path).toHaveProperty("default");
      expect("401" in responses, call.path).toBe(call.access !== "public");
      if (call.params) expect(responses, call.path).toHaveProperty("404");
      if (call.query || call.body || call.upload) expect(responses, call.path).toHaveProperty("400");
    }
    const absent = (path: string, method = "post") => "404" in body.paths[path][method].responses;
    for (const path of ["/image/", "/annotation/", "/annotator/data", "/undo/"]) expect(absent(path), path).toBe(true);
    expect(absent("/undo/", "delete")).toBe(true);
    for (const path of ["/dataset/", "/category/", "/user/tokens"]) expect(absent(path), path).toBe(false);
  });

  test("describes parameters by their parsed type, not as strings", async () => {
    const { body } = await server.visitor().get("openapi.json");
    const of = (name: string) =>
      body.paths["/dataset/{id}/data"].get.parameters.find((each: { name: string }) => each.name === name).schema;
    expect(of("id")).toEqual({ type: "integer", minimum: 0 });
    expect(of("limit")).toEqual({ type: "integer", minimum: 1, maximum: 1000, default: 52 });
    expect(of("annotated")).toEqual({ type: "boolean" });
    expect(of("category_ids__in")).toEqual({ type: "array", items: { type: "integer", minimum: 0 } });
  });
});
