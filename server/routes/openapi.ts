import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import type Router from "@koa/router";
import { api, calls } from "../../shared/api";
import type { Call } from "../../shared/api/call";
import type { Env } from "../env";
import { notFound } from "../errors";
import { openapiDocument } from "./openapiDocument";

const ASSETS = ["swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png"];

/** The page that shows and tries the API, at /api, and the document that it reads. All of it comes from this server. */
export function bindOpenapi(router: Router, env: Pick<Env, "NAME" | "BASE_PATH">): void {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const document = JSON.stringify(openapiDocument(callsByGroup(), env));

  router.get("/", (ctx) => {
    ctx.type = "html";
    ctx.set("Cache-Control", "no-cache");
    ctx.body = page(env);
  });
  router.get("/openapi.json", (ctx) => {
    ctx.type = "json";
    ctx.set("Cache-Control", "no-cache");
    ctx.body = document;
  });
  router.get("/docs/start.js", (ctx) => {
    ctx.type = "js";
    ctx.body = START;
  });
  router.get("/docs/:asset", (ctx) => {
    const asset = ASSETS.find((name) => name === ctx.params.asset);
    if (!asset) throw notFound();
    ctx.type = extname(asset);
    ctx.set("Cache-Control", "public, max-age=86400");
    ctx.body = createReadStream(join(folder, asset));
  });
}

/** Nothing is asked of the makers' validator; calls prove that they come from here, as the application's do. */
const START = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  requestInterceptor(request) {
    request.headers["X-Requested-With"] = "limn-api-page";
    return request;
  },
});
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
  </head>
  <body>
    <main id="api"></main>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
