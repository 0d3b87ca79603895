import type { Middleware } from "koa";
import helmet from "koa-helmet";
import type { Env } from "../base/env";

/**
 * Headers against foreign content and pages, on every answer. COOP and COEP make our pages cross-origin isolated, so
 * that WebAssembly has threads. Styles may stand inline because Mantine writes its variables into <style> elements;
 * scripts may not. Plain http stays possible on purpose (no HSTS, no upgrade-insecure-requests): that is the proxy's.
 */
export function securityHeaders(env: Pick<Env, "ANNOTATE_ORIGINS">): Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        workerSrc: ["'self'", "blob:"],
        imgSrc: ["'self'", "blob:", "data:"],
        fontSrc: ["'self'", "data:"],
        connectSrc: ["'self'", socketOrigin("ws"), socketOrigin("wss"), ...env.ANNOTATE_ORIGINS],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginEmbedderPolicy: { policy: "require-corp" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    referrerPolicy: { policy: "same-origin" },
    strictTransportSecurity: false,
    xFrameOptions: { action: "deny" },
  });
}

/** Older Safaris do not count a WebSocket to the own host as 'self'. The host is the caller's word: letters only. */
const socketOrigin = (scheme: "ws" | "wss") => (request: { headers: { host?: string } }) => {
  const { host = "" } = request.headers;
  return /^[\w.-]+(:\d+)?$/.test(host) ? `${scheme}://${host}` : "'self'";
};
