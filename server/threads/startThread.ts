import { Worker, type WorkerOptions } from "node:worker_threads";

/** True in the built server, false when it runs from its TypeScript sources (development, unit tests). */
const IS_BUILT = import.meta.url.endsWith(".js");

/** Starts a thread that runs one of the server's modules. `module`: its URL without the extension. */
export function startThread(module: URL, options: WorkerOptions): Worker {
  if (IS_BUILT) return new Worker(new URL(`${module}.js`), { execArgv: [], ...options });
  return new Worker(new URL("./sourceThread.mjs", import.meta.url), {
    execArgv: [],
    argv: [`${module}.ts`],
    ...options,
  });
}
