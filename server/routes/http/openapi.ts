import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import type Router from "@koa/router";
import { api, calls } from "../../../shared/api";
import type { Call } from "../../../shared/api/protocol/call";
import type { Env } from "../../base/env";
import { notFound } from "../../base/errors";
import { openapiDocument } from "./openapiDocument";

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
    ctx.body = page(env);
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

/**
 * Script that starts Swagger UI. Disables its online validator, and sends X-Requested-With, so that calls are accepted
 * as coming from this server. Adds labels that screen readers need; deepLinking stays off, since its links inside
 * buttons would trap the keyboard focus.
 */
const START = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  deepLinking: false,
  onComplete() {
    const set = (selector, attributes) => {
      for (const element of document.querySelectorAll(selector))
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    };
    set(".information-container", { role: "region", "aria-label": "About the API" });
    set(".scheme-container", { role: "region", "aria-label": "Server and keys" });
    set(".opblock-tag", { "aria-level": "2" });
    set("#servers", { "aria-label": "Server" });
  },
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  requestInterceptor(request) {
    request.headers["X-Requested-With"] = "limn-api-page";
    return request;
  },
});
`;

/** Darker colours for Swagger UI, with a contrast of at least 4.5 to 1. */
const LOOK = `.swagger-ui .info .title small pre.version { color: #fff; }
.swagger-ui .info .title small { background: #5f6675; }
.swagger-ui .info .title small.version-stamp { background: #4d6b00; }
.swagger-ui .info a, .swagger-ui .info .url { color: #2065b5; }
.swagger-ui .btn.authorize { border-color: #0f7a4b; color: #0f7a4b; }
.swagger-ui .btn.authorize svg { fill: #0f7a4b; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1565b8; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0f7a4b; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #94570a; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0b7266; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #c4161c; }
`;

function callsByGroup(): Record<string, Call[]> {
  return Object.fromEntries(
    Object.entries(api).map(([name, group]) => {
      const members: unknown[] = Object.values(group);
      return [name, calls.filter((call) => members.includes(call))];
    }),
  );
}

const page = ({ NAME, BASE_PATH }: Pick<Env, "NAME" | "BASE_PATH">): string => `<!doctype html>
<html lang="en">
  <head>
    <base href="${BASE_PATH}api/">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(NAME)}: API</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/look.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
