import type { Context, Middleware } from "koa";
import { currentTraces } from "../../base/traces";

/**
 * Makes a span for each request, from its first byte to the last one of its response, if traces are on. Its name and
 * its path are the declared ones, so that no id of a call and no search text gets into the traces.
 */
export const traceRequests: Middleware = (ctx, next) => {
  const traces = currentTraces();
  if (!traces) return next();
  const attributes = { "http.request.method": ctx.method };
  return traces.inRequest(ctx.headers, ctx.method, attributes, (span) => {
    ctx.res.once("close", () => {
      const status = ctx.res.statusCode;
      span.describe(nameOf(ctx), {
        ...(typeof ctx.state.route === "string" && { "http.route": ctx.state.route }),
        "http.response.status_code": status,
      });
      if (status >= 500) span.fail(`status ${status}`);
      span.end();
    });
    return next();
  });
};

const nameOf = ({ method, state }: Context): string =>
  typeof state.route === "string" ? `${method} ${state.route}` : method;
