import { randomUUID } from "node:crypto";
import type { Middleware } from "koa";
import type { Logger } from "pino";
import { withRequestId } from "../../base/requestId";

const HEADER = "X-Request-Id";
/** Ids that proxies make: UUIDs, hexadecimal numbers, base64. Other texts could confuse what reads the log. */
const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;

/**
 * Gives each request an id, which is in its response and in the lines of the log about it: that of its header
 * `X-Request-Id` if it is well-formed, or a new one. At the level `debug`, logs each request.
 */
export function nameRequests(log: Logger): Middleware {
  return (ctx, next) => {
    const given = ctx.get(HEADER);
    const id = WELL_FORMED.test(given) ? given : randomUUID();
    ctx.set(HEADER, id);
    return withRequestId(id, () => {
      if (log.isLevelEnabled("debug")) {
        const start = performance.now();
        const { method, path } = ctx;
        // Events of the response are outside of the request's context.
        ctx.res.once("close", () => {
          const ms = Math.round(performance.now() - start);
          log.debug({ request: id, method, path, status: ctx.res.statusCode, ms }, "request");
        });
      }
      return next();
    });
  };
}
