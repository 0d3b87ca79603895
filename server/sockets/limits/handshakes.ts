import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Rate, TokenBuckets } from "./tokenBuckets";

/** Requests to the sockets' address from one address: enough for an office that comes back after a restart. */
const ARRIVALS: Rate = { burst: 5_000, perSecond: 300 };
/** Of one cookie or Authorization header: a user's tabs, all at once. */
const ATTEMPTS: Rate = { burst: 200, perSecond: 5 };
/** Wrong credentials from one address. */
const FAILURES: Rate = { burst: 200, perSecond: 20 };
/** Credentials that were right once, which other people's failures do not lock out. */
const MAX_KNOWN = 20_000;

/** Decides by address and credentials who may ask for a connection at all, without a query. */
export class Handshakes {
  private readonly arrivals = new TokenBuckets<string>(ARRIVALS);
  private readonly attempts = new TokenBuckets<string>(ATTEMPTS);
  private readonly failures = new TokenBuckets<string>(FAILURES);
  private readonly known = new Set<string>();

  /** Counts a request. Returns false if the address has sent too many. */
  arrive(address: string): boolean {
    return this.arrivals.take(address);
  }

  /** Counts an attempt to connect. Returns false if there were too many, or too many wrong ones from the address. */
  attempt(headers: IncomingHttpHeaders, address: string): boolean {
    const credentials = credentialsOf(headers);
    // Without login there are none, and nothing is asked of the database for those who send none.
    if (credentials === undefined) return true;
    if (!this.attempts.take(credentials)) return false;
    return this.known.has(credentials) || this.failures.hasAny(address);
  }

  succeeded(headers: IncomingHttpHeaders): void {
    const credentials = credentialsOf(headers);
    if (credentials === undefined) return;
    this.known.delete(credentials);
    this.known.add(credentials);
    const [oldest] = this.known;
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }

  failed(headers: IncomingHttpHeaders, address: string): void {
    const credentials = credentialsOf(headers);
    // Pages at the log-in send none.
    if (credentials === undefined) return;
    this.known.delete(credentials);
    this.failures.take(address);
  }
}

/** Returns a digest: no secret stays in memory. Undefined where a request has none. */
function credentialsOf({ authorization, cookie }: IncomingHttpHeaders): string | undefined {
  const text = authorization ?? cookie;
  return text ? createHash("sha256").update(text).digest("base64url") : undefined;
}
