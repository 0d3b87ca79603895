import type { Middleware } from "koa";
import helmet from "koa-helmet";
import type { Env } from "../base/env";

/**
 * Sets headers against foreign content and pages on every response. COOP and COEP make Limn's pages cross-origin
 * isolated, so that WebAssembly can use threads. Inline styles are allowed because Mantine writes its variables into
 * <style> elements; inline scripts are not. Plain http is allowed on purpose (no HSTS, no upgrade-insecure-requests):
 * https is up to the proxy.
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
        // Workers read images of offline copies from blob: addresses.
        connectSrc: ["'self'", "blob:", socketOrigin("ws"), socketOrigin("wss"), ...env.ANNOTATE_ORIGINS],
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

/**
 * Returns this host as a WebSocket origin: older Safaris do not count it as 'self'. Validates the host, which is client
 * input.
 */
const socketOrigin = (scheme: "ws" | "wss") => (request: { headers: { host?: string } }) => {
  const { host = "" } = request.headers;
  return /^[\w.-]+(:\d+)?$/.test(host) ? `${scheme}://${host}` : "'self'";
};
