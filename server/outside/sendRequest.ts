import { lookup as resolveName } from "node:dns";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { OutsideError } from "./outsideError";
import { isPublicAddress } from "./publicAddress";

/** A response of another server. */
export interface OutsideResponse {
  status: number;
  headers: IncomingMessage["headers"];
  /** Must be read or destroyed. Fails when the time limit is reached. */
  body: IncomingMessage;
}

export interface OutsideRequest {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  /** True allows addresses that are not public. */
  isTrusted: boolean;
}

const USER_AGENT = "Limn (image annotation)";

/** Returns an http or https address without user and password. Throws OutsideError for others. */
export function checkedUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new OutsideError("its address cannot be read");
  const url = new URL(address, base);
  if (!/^https?:$/.test(url.protocol)) throw new OutsideError("its address is neither http nor https");
  url.username = "";
  url.password = "";
  return url;
}

/**
 * Sends one request, without following redirects. The address is checked after name resolution, for the connection
 * itself, so that a second DNS answer cannot redirect it into the server's network. Throws OutsideError if there is no
 * response, and for addresses that are not public.
 */
export function sendRequest(url: URL, request: OutsideRequest): Promise<OutsideResponse> {
  const { method, headers, body, signal, isTrusted } = request;
  const host = hostOf(url);
  if (!isTrusted && isNotPublic(url)) throw notPublic(host);
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === "https:" ? https : http).request(url, {
      method,
      headers: { "User-Agent": USER_AGENT, ...headers },
      signal,
      agent: false,
      ...(!isTrusted && { lookup: lookupPublic }),
    });
    sent.on("response", (body) => resolve({ status: body.statusCode ?? 0, headers: body.headers, body }));
    sent.on("error", (error) => reject(error instanceof OutsideError ? error : unreachable(host, error)));
    sent.end(body);
  });
}

/** Returns true for a numeric address that is not public: `lookup` is not called for numeric addresses. */
export function isNotPublic(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) !== 0 && !isPublicAddress(host);
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

/** Resolves names like dns.lookup, but to public addresses only. */
const lookupPublic: LookupFunction = (host, options, done) => {
  resolveName(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, "");
    const found = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = found;
    if (!first) return done(notPublic(host), "");
    if (options.all) done(null, found);
    else done(null, first.address, first.family);
  });
};

const notPublic = (host: string) => new OutsideError(`${host} is not on the public internet`);

function unreachable(host: string, error: Error): OutsideError {
  const code = "code" in error ? String(error.code) : "";
  return new OutsideError(`${host} cannot be reached${code && ` (${code})`}`, true);
}
