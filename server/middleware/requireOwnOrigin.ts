import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Env } from "../base/env";
import { forbidden } from "../base/errors";

/**
 * Throws 403 for requests that a page of another site makes a browser send. `host`: host of this server as the browser
 * sees it. A GET without the headers of current browsers may come from a link or image in an old browser, so it needs
 * `X-Requested-With`, which a foreign page cannot set.
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

/** Returns the host as the browser sees it, from the trusted proxy if there is one. (In Koa: `ctx.host`.) */
export function hostOf(headers: IncomingHttpHeaders, { TRUST_PROXY }: Pick<Env, "TRUST_PROXY">): string {
  const forwarded = TRUST_PROXY ? headers["x-forwarded-host"] : undefined;
  return [forwarded ?? headers.host ?? ""].flat().join().split(",", 1)[0]?.trim() ?? "";
}

/**
 * Returns the client's address: the one that the trusted proxy has added, otherwise that of the connection. (In Koa:
 * `ctx.ip`.)
 */
export function addressOf(request: IncomingMessage, { TRUST_PROXY }: Pick<Env, "TRUST_PROXY">): string {
  const forwarded = TRUST_PROXY ? request.headers["x-forwarded-for"] : undefined;
  const last = [forwarded ?? ""].flat().join().split(",").at(-1)?.trim();
  return last || (request.socket.remoteAddress ?? "");
}

/** Returns true if an origin has this host. Does not compare schemes, since a proxy may handle https. */
export function isOfHost(origin: string, host: string): boolean {
  return (
    URL.canParse(origin) && host !== "" && plainHost(origin) === plainHost(`http://${host}`, new URL(origin).protocol)
  );
}

/** Returns the host without the scheme's default port. */
function plainHost(address: string, protocol = ""): string | undefined {
  const text = protocol ? address.replace(/^http:/, protocol) : address;
  return URL.canParse(text) ? new URL(text).host : undefined;
}

const foreign = () => forbidden("This call does not come from a page of this server.");
