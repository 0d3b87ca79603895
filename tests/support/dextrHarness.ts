import { rmSync } from "node:fs";
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import Koa from "koa";
import { build } from "vite";
import { cachedFile } from "../../scripts/cachedFile";
import { languages } from "../../scripts/languages/languages";
import { precompress } from "../../scripts/precompress.mjs";
import { securityHeaders } from "../../server/middleware/securityHeaders";
import { staticFiles } from "../../server/middleware/staticFiles";
import { newFolder } from "./runFolder";

/** A test page (dextrPage/ or offlinePage/), served with the application's headers in front of a real server. */
export interface DextrHarness {
  /** URL of the page. Its API calls are passed on to the server. */
  url: string;
  /** Folder of the page's files. Files added here are served below `url`. */
  folder: string;
  /** Allows or forbids WebAssembly to browsers from now on, through the page's headers. */
  allowWasm(isAllowed: boolean): void;
  /** Stops responding, as if the server were unreachable. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** `target` is the server's address. */
export const startDextrHarness = (target: string): Promise<DextrHarness> => startHarness(target, "dextrPage");

/** Builds the page in a folder beside this file. `target` is the server's address. */
export async function startHarness(target: string, page: "dextrPage" | "offlinePage"): Promise<DextrHarness> {
  const folder = newFolder("dextr");
  await build({
    configFile: false,
    logLevel: "error",
    root: resolve(import.meta.dirname, page),
    base: "./",
    build: { outDir: folder, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 2000 },
    worker: { format: "es", plugins: () => [cachedFile(), languages()] },
    plugins: [cachedFile(), languages()],
  });
  await precompress(join(folder, "assets"));
  const rules = { wasm: true };
  const server = await listen(folder, target, rules);
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    folder,
    allowWasm: (isAllowed) => {
      rules.wasm = isAllowed;
    },
    stop,
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listen(folder: string, target: string, rules: { wasm: boolean }): Promise<Server> {
  const app = new Koa();
  app.use(securityHeaders({ ANNOTATE_ORIGINS: [] }));
  app.use(async (ctx, next) => {
    const policy = String(ctx.response.get("Content-Security-Policy"));
    if (!rules.wasm) ctx.set("Content-Security-Policy", policy.replace(" 'wasm-unsafe-eval'", ""));
    await next();
  });
  app.use(staticFiles({ BASE_PATH: "/" }, folder));
  const page = app.callback();
  const server = createServer((incoming, answer) => {
    if (incoming.url?.startsWith("/api/")) passOn(target, incoming, answer);
    else void page(incoming, answer);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return server;
}

/** Passes the host on unchanged, because the server compares it with the origin. */
function passOn(target: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url = "/" } = incoming;
  const outgoing = forward(new URL(url, target), { method, headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers);
    found.pipe(answer);
  });
  outgoing.on("error", () => answer.destroy());
  incoming.pipe(outgoing);
}
