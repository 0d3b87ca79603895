import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Env } from "../base/env";
import { forbidden } from "../base/errors";

/**
 * Refuses (403) what another site's page makes a browser send. `host` is ours as the browser sees it. A GET without the
 * headers that browsers send may come from a link or image in an old browser: it needs `X-Requested-With`, which no
 * foreign page can set.
 */
export function requireOwnOrigin(headers: IncomingHttpHeaders, method: string, host: string): void {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") throw foreign();
  if (origin !== undefined && !isOfHost(origin, host)) throw foreign();
  const isKnown = site !== undefined || origin !== undefined;
  if (method === "GET" && !isKnown && !headers["x-requested-with"])
    throw forbidden("This call changes something: send the header X-Requested-With.");
}

/** The host that the browser sees; a trusted proxy says it. (Koa has the same as `ctx.host`.) */
export function hostOf(headers: IncomingHttpHeaders, { TRUST_PROXY }: Pick<Env, "TRUST_PROXY">): string {
  const forwarded = TRUST_PROXY ? headers["x-forwarded-host"] : undefined;
  return [forwarded ?? headers.host ?? ""].flat().join().split(",", 1)[0]?.trim() ?? "";
}

/** The caller's address: the one that the trusted proxy has added last, else the connection's. (Koa: `ctx.ip`.) */
export function addressOf(request: IncomingMessage, { TRUST_PROXY }: Pick<Env, "TRUST_PROXY">): string {
  const forwarded = TRUST_PROXY ? request.headers["x-forwarded-for"] : undefined;
  const last = [forwarded ?? ""].flat().join().split(",").at(-1)?.trim();
  return last || (request.socket.remoteAddress ?? "");
}

/** Schemes are not compared: a proxy may speak https for us. */
export function isOfHost(origin: string, host: string): boolean {
  return (
    URL.canParse(origin) && host !== "" && plainHost(origin) === plainHost(`http://${host}`, new URL(origin).protocol)
  );
}

/** Without the scheme's default port. */
function plainHost(address: string, protocol = ""): string | undefined {
  const text = protocol ? address.replace(/^http:/, protocol) : address;
  return URL.canParse(text) ? new URL(text).host : undefined;
}

const foreign = () => forbidden("This call does not come from a page of this server.");
