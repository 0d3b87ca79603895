import { lookup as resolveName } from "node:dns";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { limitedSignal } from "../../shared/async/signals";
import { isPublicAddress } from "./publicAddress";

/** The reason why a request to another server failed. The message is shown to the user. */
export class OutsideError extends Error {
  override name = "OutsideError";

  constructor(
    message: string,
    /** True if there was no response at all: no network, unknown host, connection refused, timeout. */
    readonly isUnreachable = false,
  ) {
    super(message);
  }
}

/** A response of another server. */
export interface OutsideResponse {
  status: number;
  headers: IncomingMessage["headers"];
  /** Must be read or destroyed. Fails when the time limit is reached. */
  body: IncomingMessage;
}

/** Sends GET requests to other servers by http and https, without credentials. */
export interface Outside {
  /**
   * Sends a request and follows redirects. Throws OutsideError if there is no response, and for addresses that are not
   * public. The address is checked after name resolution, for the connection itself, so that a second DNS answer cannot
   * redirect it into the server's network.
   */
  get(address: string, options: { accept: string; signal: AbortSignal; seconds: number }): Promise<OutsideResponse>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const USER_AGENT = "Limn (image annotation)";

/**
 * Creates the client.
 *
 * @param trusted the only origin that may be in the server's own network, since the operator has configured it
 */
export function makeOutside(trusted?: string): Outside {
  return {
    async get(address, { accept, signal, seconds }) {
      const limit = limitedSignal(signal, 1000 * seconds);
      try {
        let url = checkedUrl(address);
        for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
          const response = await send(url, accept, limit.signal, url.origin === trusted);
          const { location } = response.headers;
          if (!REDIRECTS.has(response.status) || location === undefined) {
            response.body.once("close", limit.stop);
            return response;
          }
          response.body.destroy();
          url = checkedUrl(location, url);
        }
        throw new OutsideError("it has too many redirects");
      } catch (error) {
        limit.stop();
        signal.throwIfAborted();
        throw limit.signal.aborted ? new OutsideError(`no response within ${seconds} s`, true) : error;
      }
    },
  };
}

function checkedUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new OutsideError("its address cannot be read");
  const url = new URL(address, base);
  if (!/^https?:$/.test(url.protocol)) throw new OutsideError("its address is neither http nor https");
  url.username = "";
  url.password = "";
  return url;
}

function send(url: URL, accept: string, signal: AbortSignal, isTrusted: boolean): Promise<OutsideResponse> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // `lookup` checks the addresses of names; it is not called for numeric addresses.
  if (!isTrusted && isIP(host) && !isPublicAddress(host)) throw notPublic(host);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? https : http).get(url, {
      headers: { Accept: accept, "User-Agent": USER_AGENT },
      signal,
      agent: false,
      ...(!isTrusted && { lookup: lookupPublic }),
    });
    request.on("response", (body) => resolve({ status: body.statusCode ?? 0, headers: body.headers, body }));
    request.on("error", (error) => reject(error instanceof OutsideError ? error : unreachable(host, error)));
  });
}

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
