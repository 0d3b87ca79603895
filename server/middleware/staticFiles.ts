import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context, Middleware } from "koa";
import serve from "koa-static";
import type { Env } from "../base/env";
import { HttpError, notFound, unavailable } from "../base/errors";
import { ROOT } from "../base/root";
import { mount } from "./mount";

const BUILD = join(ROOT, "dist", "web");
/** Vite puts a hash of the content into these names. */
const HASHED = /\/assets\/[^/]+$/;

/**
 * The web app: files of the build, and for every other address of a page its index.html, which the router in the browser
 * takes on. It says too that there is no such page: a browser gets it with status 404 where a file would be. Outside
 * BASE_PATH there is nothing.
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

/** koa-static says 400 and 403 of paths that are no paths or lead outside: for us there is nothing. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "status" in error && (error.status === 400 || error.status === 403);

/** Files have an extension; what has none is an address of the router in the browser. */
function isPage(ctx: Context): boolean {
  if (ctx.path === "/index.html") return true;
  return !/\.[^/]*$/.test(ctx.path) && !ctx.path.startsWith("/assets/") && ctx.accepts("html") !== false;
}

/** A browser that opens an address, and not a page that loads something: that is not helped by a page. */
const isNavigation = (ctx: Context): boolean => ctx.get("Accept").includes("text/html");

/** index.html names its files relative to where the app lives; <base> says that to the browser, whatever the address. */
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

/** For what nobody has answered. */
export const nothingFound: Middleware = () => {
  throw notFound();
};
