import Router from "@koa/router";
import Koa, { type Middleware } from "koa";
import { HttpError, notFound } from "./base/errors";
import type { Metrics } from "./features/metrics/metrics";
import type { Services } from "./features/services";
import { compression } from "./middleware/compression";
import { handleErrors, logBrokenResponses } from "./middleware/handleErrors";
import { nameRequests } from "./middleware/observing/nameRequests";
import { observeRequests } from "./middleware/observing/observeRequests";
import { sendMetrics } from "./middleware/observing/sendMetrics";
import { traceRequests } from "./middleware/observing/traceRequests";
import { securityHeaders } from "./middleware/securityHeaders";
import { respondNotFound, staticFiles } from "./middleware/staticFiles";
import { routes } from "./routes";
import { type BindOptions, bindAll } from "./routes/http/bind";
import { bindOpenapi } from "./routes/http/openapi";

interface AppOptions extends BindOptions {
  /** Absent if metrics are off. */
  metrics?: Metrics | undefined;
}

/** Returns the web application: a list of middleware that each request passes from top to bottom. */
export function makeApp(services: Services, { metrics, ...options }: AppOptions): Koa {
  const { env, log } = services;
  // Behind a proxy, the last entry of X-Forwarded-For is the client's address, added by the proxy. The client may have
  // sent the earlier entries.
  const app = new Koa({ proxy: env.TRUST_PROXY, maxIpsCount: 1 });
  const api = new Router({ prefix: `${env.BASE_PATH}api`, sensitive: true });
  bindAll(api, routes, services, options);
  bindOpenapi(api, env);

  logBrokenResponses(app, log);
  app.use(nameRequests(log));
  app.use(traceRequests);
  if (metrics) app.use(observeRequests(metrics, env.BASE_PATH));
  app.use(securityHeaders(env));
  app.use(handleErrors(log));
  app.use(compression());
  app.use(api.routes());
  app.use(noSuchCall(api, `${env.BASE_PATH}api`));
  app.use(sendMetrics(env, metrics));
  app.use(staticFiles(env));
  app.use(respondNotFound);
  return app;
}

/** Rejects unknown calls under /api: with 405 for a known path, otherwise with 404. */
function noSuchCall(api: Router, prefix: string): Middleware {
  return (ctx, next) => {
    if (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`)) return next();
    const methods = new Set(api.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw notFound();
    throw new HttpError(405, "This path does not support this method.", {
      headers: { Allow: [...methods].join(", ") },
    });
  };
}
