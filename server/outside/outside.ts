import { lookup as resolveName } from "node:dns";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { limitedSignal } from "../../shared/async/signals";
import { isPublicAddress } from "./publicAddress";

/** The reason why something could not be fetched from another server, in a message for users. */
export class OutsideError extends Error {
  override name = "OutsideError";

  constructor(
    message: string,
    /** True if no response came at all: no network, no such host, nothing listens there, too slow. */
    readonly isUnreachable = false,
  ) {
    super(message);
  }
}

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  /** Read it or destroy it. Ends with an error when the time is over. */
  body: IncomingMessage;
}

/** Asks other servers by http and https, with GET and without any name or password. */
export interface Outside {
  /**
   * Follows redirects. Throws OutsideError where no answer is to be had, and for addresses that are not public: after the
   * name is resolved, on the very connection that is used, so that no second answer of a name server leads elsewhere.
   */
  get(address: string, options: { accept: string; signal: AbortSignal; seconds: number }): Promise<Answer>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const USER_AGENT = "Limn (image annotation)";

/** @param trusted the one origin that may lie in the server's own network, since whoever runs the server has named it */
export function makeOutside(trusted?: string): Outside {
  return {
    async get(address, { accept, signal, seconds }) {
      const limit = limitedSignal(signal, 1000 * seconds);
      try {
        let url = checkedUrl(address);
        for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
          const answer = await ask(url, accept, limit.signal, url.origin === trusted);
          const { location } = answer.headers;
          if (!REDIRECTS.has(answer.status) || location === undefined) {
            answer.body.once("close", limit.stop);
            return answer;
          }
          answer.body.destroy();
          url = checkedUrl(location, url);
        }
        throw new OutsideError("it leads from one address to the next without end");
      } catch (error) {
        limit.stop();
        signal.throwIfAborted();
        throw limit.signal.aborted ? new OutsideError(`no answer within ${seconds} s`, true) : error;
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

function ask(url: URL, accept: string, signal: AbortSignal, isTrusted: boolean): Promise<Answer> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Names are looked up below; numbers are not looked up at all.
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

/** As dns.lookup, of public addresses only. */
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

const notPublic = (host: string) => new OutsideError(`${host} does not lie on the public internet`);

function unreachable(host: string, error: Error): OutsideError {
  const code = "code" in error ? String(error.code) : "";
  return new OutsideError(`${host} cannot be reached${code && ` (${code})`}`, true);
}
