import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context, Middleware } from "koa";
import serve from "koa-static";
import type { Env } from "../base/env";
import { HttpError, notFound, unavailable } from "../base/errors";
import { ROOT } from "../base/root";
import { mount } from "./mount";

const BUILD = join(ROOT, "dist", "web");
/** Paths of files whose names contain a hash of their content. */
const HASHED = /\/assets\/[^/]+$/;

/**
 * Serves the web app: files of the build, and index.html for the address of any page, which the router in the browser
 * resolves. A browser that opens the address of a missing file gets index.html with status 404, which shows "not
 * found". Serves nothing outside BASE_PATH.
 */
export function staticFiles(env: Pick<Env, "BASE_PATH">, folder = BUILD): Middleware {
  const files = serve(folder, {
    index: false,
    setHeaders: (response, path) => {
      response.setHeader("Cache-Control", HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache");
      response.setHeader("Vary", "Accept-Encoding");
    },
  });
  const page = indexPage(env.BASE_PATH, folder);
  return mount(env.BASE_PATH, async (ctx, next) => {
    if (!["GET", "HEAD"].includes(ctx.method))
      throw new HttpError(405, "Use GET.", { headers: { Allow: "GET, HEAD" } });
    if (isPage(ctx)) return page(ctx);
    const missing = async () => (isNavigation(ctx) ? page(ctx, 404) : next());
    await files(ctx, missing).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      if (!isNavigation(ctx)) throw notFound();
      page(ctx, 404);
    });
  });
}

/** Returns true for koa-static's 400 and 403, for paths that are malformed or lead outside; they become 404. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "status" in error && (error.status === 400 || error.status === 403);

/** Returns true for the address of a page of the web app, which has no extension, unlike files. */
function isPage(ctx: Context): boolean {
  if (ctx.path === "/index.html") return true;
  return !/\.[^/]*$/.test(ctx.path) && !ctx.path.startsWith("/assets/") && ctx.accepts("html") !== false;
}

/** Returns true if a browser opens an address, as opposed to a page that loads a resource and has no use for HTML. */
const isNavigation = (ctx: Context): boolean => ctx.get("Accept").includes("text/html");

/** Sends index.html with a <base> element, since it refers to its files relative to BASE_PATH. */
function indexPage(basePath: string, folder: string): (ctx: Context, status?: number) => void {
  const path = join(folder, "index.html");
  return (ctx, status = 200) => {
    if (!existsSync(path)) throw unavailable("The web app is not built: npm run build", 60);
    ctx.status = status;
    ctx.set("Cache-Control", "no-cache");
    ctx.vary("Accept");
    ctx.type = "html";
    ctx.body = readFileSync(path, "utf8").replace(/<head>|<head [^>]*>/i, (head) => `${head}<base href="${basePath}">`);
  };
}

/** Throws 404 for requests that no other middleware has handled. */
export const respondNotFound: Middleware = () => {
  throw notFound();
};
