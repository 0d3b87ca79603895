import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type Koa from "koa";
import type { Context, Middleware } from "koa";
import type { Logger } from "pino";
import { codeOf, errorFromSql, HttpError } from "../base/errors";
import { currentRequestId } from "../base/requestId";

/**
 * Converts errors to responses: `{message, errors?, code?, facts?, request_id?}`. No other code does this. An unknown
 * error is a bug: it is logged under an id, and the response contains only that id.
 */
export function handleErrors(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.headerSent) {
        log.warn({ err: error, url: ctx.path }, "response aborted");
        ctx.res.destroy();
        return;
      }
      respond(ctx, errorFromSql(error) ?? errorOfLibrary(error) ?? unexpected(error, ctx, log));
    }
  };
}

function respond(ctx: Context, error: HttpError): void {
  for (const name of ctx.res.getHeaderNames()) if (BODY_HEADERS.test(name)) ctx.remove(name);
  ctx.status = error.status;
  ctx.set({ "Cache-Control": "no-store", ...error.headers });
  const { message, errors, code, facts } = error;
  ctx.body = {
    message,
    ...(errors && { errors }),
    ...(code && { code }),
    ...(facts && { facts }),
    ...(error.status >= 500 && { request_id: currentRequestId() }),
  };
}

/** Headers of the failed response's body, which a handler may have set already. */
const BODY_HEADERS = /^(content-(?!security-policy)|etag$|last-modified$|accept-ranges$)/;

/** Converts errors of Koa and its body parsers. Replaces their messages, which may expose internals. */
function errorOfLibrary(error: unknown): HttpError | undefined {
  const status = statusOf(error);
  return status ? new HttpError(status, TEXTS[status] ?? "This request cannot be processed.") : undefined;
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const status = "status" in error ? error.status : "httpCode" in error ? error.httpCode : undefined;
  return typeof status === "number" && status >= 400 && status < 500 ? status : undefined;
}

const TEXTS: Record<number, string> = {
  400: "The request cannot be read.",
  404: "Not found.",
  413: "This is too large.",
};

function unexpected(error: unknown, ctx: Context, log: Logger): HttpError {
  const id = randomBytes(6).toString("hex");
  log.error({ err: error, id, method: ctx.method, path: ctx.path }, "unexpected error");
  return new HttpError(500, `Something went wrong on the server (number ${id} in its log).`);
}

/**
 * Logs errors outside `handleErrors`: as a warning if the content of a response could not be read to its end, and at
 * the level `debug` if the connection broke, since clients may disconnect at any time.
 */
export function logBrokenResponses(app: Koa, log: Logger): void {
  const logged = new WeakSet<Error>();
  // Koa sets `headerSent` if the response cannot be replaced any more.
  app.on("error", (error: Error & { headerSent?: boolean }, ctx?: Context) => {
    // Koa reports an error of the content again when it ends the response.
    if (logged.has(error)) return;
    logged.add(error);
    if (error.headerSent && !isOfContent(error, ctx?.body))
      log.debug({ err: error }, "connection lost while responding");
    else log.warn({ err: error, url: ctx?.path }, "response aborted");
  });
}

/**
 * Returns true if reading the response's content failed; false if reading stopped because the client had disconnected.
 */
function isOfContent(error: Error, body: unknown): boolean {
  return body instanceof Readable && body.errored === error && codeOf(error) !== "ERR_STREAM_PREMATURE_CLOSE";
}
