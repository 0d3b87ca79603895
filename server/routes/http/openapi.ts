import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import type Router from "@koa/router";
import { api, calls } from "../../../shared/api";
import type { Call } from "../../../shared/api/protocol/call";
import type { Env } from "../../base/env";
import { notFound } from "../../base/errors";
import { openapiDocument } from "./openapiDocument";
import { apiPage, LOOK, START, THEME } from "./openapiPage";

const ASSETS = ["swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png"];

/**
 * Serves the API's interactive documentation at /api, and its OpenAPI document. Nothing is loaded from other servers.
 */
export function bindOpenapi(router: Router, env: Pick<Env, "NAME" | "BASE_PATH">): void {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  let document: string | undefined;

  router.get("/", (ctx) => {
    ctx.type = "html";
    ctx.set("Cache-Control", "no-cache");
    ctx.body = apiPage(env);
  });
  router.get("/openapi.json", (ctx) => {
    ctx.type = "json";
    ctx.set("Cache-Control", "no-cache");
    document ??= JSON.stringify(openapiDocument(callsByGroup(), env));
    ctx.body = document;
  });
  router.get("/docs/start.js", (ctx) => {
    ctx.type = "js";
    ctx.body = START;
  });
  router.get("/docs/theme.js", (ctx) => {
    ctx.type = "js";
    ctx.body = THEME;
  });
  router.get("/docs/look.css", (ctx) => {
    ctx.type = "css";
    ctx.body = LOOK;
  });
  router.get("/docs/:asset", (ctx) => {
    const asset = ASSETS.find((name) => name === ctx.params.asset);
    if (!asset) throw notFound();
    ctx.type = extname(asset);
    ctx.set("Cache-Control", "public, max-age=86400");
    ctx.body = createReadStream(join(folder, asset));
  });
}

function callsByGroup(): Record<string, Call[]> {
  return Object.fromEntries(
    Object.entries(api).map(([name, group]) => {
      const members: unknown[] = Object.values(group);
      return [name, calls.filter((call) => members.includes(call))];
    }),
  );
}
