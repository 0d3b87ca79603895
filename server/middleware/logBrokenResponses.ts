import { Readable } from "node:stream";
import type Koa from "koa";
import type { Context } from "koa";
import type { Logger } from "pino";
import { codeOf } from "../base/errors";

/**
 * Logs responses that end before they are complete: as a warning if their content could not be read, and at the level
 * `debug` if the client left, which is no defect.
 */
export function logBrokenResponses(app: Koa, log: Logger): void {
  const logged = new WeakSet<Error>();
  app.on("error", (error: Error, ctx?: Context) => {
    // Koa reports an error of the content a second time when the response has ended with it.
    if (logged.has(error)) return;
    logged.add(error);
    if (hasClientLeft(error, ctx?.body)) log.debug({ err: error }, "connection lost while responding");
    else log.warn({ err: error, url: ctx?.path }, "response aborted");
  });
}

function hasClientLeft(error: unknown, body: unknown): boolean {
  const code = codeOf(error);
  if (code === "ERR_STREAM_PREMATURE_CLOSE") return true;
  // The database's connection may be lost as well: then the content ended with this error.
  return LOST.has(code) && !(body instanceof Readable && body.errored === error);
}

const LOST = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "ERR_STREAM_DESTROYED"]);
