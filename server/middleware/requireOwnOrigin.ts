import type { IncomingHttpHeaders } from "node:http";
import { forbidden } from "../errors";

/**
 * Refuses (403) what another site's page makes a browser send. `host` is ours as the browser sees it. A GET without the
 * headers that browsers send may come from a link or picture in an old browser: it needs `X-Requested-With`, which no
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

/** Schemes are not compared: a proxy may speak https for us. */
export function isOfHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && host !== "" && hostOf(origin) === hostOf(`http://${host}`, new URL(origin).protocol);
}

/** Without the scheme's default port. */
function hostOf(address: string, protocol = ""): string | undefined {
  const text = protocol ? address.replace(/^http:/, protocol) : address;
  return URL.canParse(text) ? new URL(text).host : undefined;
}

const foreign = () => forbidden("This call does not come from a page of this server.");
