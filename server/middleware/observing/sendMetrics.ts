import { createHash, timingSafeEqual } from "node:crypto";
import type { Middleware } from "koa";
import type { Env } from "../../base/env";
import { HttpError, notFound } from "../../base/errors";

interface Source {
  contentType: string;
  text(): Promise<string>;
}

/**
 * Responds to `<BASE_PATH>metrics` with the metrics, if they are turned on, for callers with METRICS_TOKEN or, with
 * METRICS_OPEN, for all.
 */
export function sendMetrics(
  { BASE_PATH, METRICS_TOKEN }: Pick<Env, "BASE_PATH" | "METRICS_TOKEN">,
  metrics: Source | undefined,
): Middleware {
  const path = `${BASE_PATH}metrics`;
  return async (ctx, next) => {
    if (ctx.path !== path) return next();
    if (!metrics) throw notFound("Metrics are off. Set METRICS_TOKEN to turn them on.");
    ctx.state.route = "/metrics";
    if (!["GET", "HEAD"].includes(ctx.method))
      throw new HttpError(405, "Use GET.", { headers: { Allow: "GET, HEAD" } });
    if (METRICS_TOKEN) requireToken(ctx.get("Authorization"), METRICS_TOKEN);
    ctx.set("Cache-Control", "no-store");
    ctx.type = metrics.contentType;
    ctx.body = await metrics.text();
  };
}

/** Throws 401 unless the header has the token. Takes the same time for all wrong tokens. */
function requireToken(header: string, token: string): void {
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (timingSafeEqual(digest(given), digest(token))) return;
  throw new HttpError(401, "Metrics need the token in METRICS_TOKEN, as Authorization: Bearer TOKEN.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
