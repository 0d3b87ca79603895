import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Rate, TokenBuckets } from "./tokenBuckets";

/** Requests to the socket endpoint per address: enough for an office that reconnects after a restart. */
const ARRIVALS: Rate = { burst: 5_000, perSecond: 300 };
/** Attempts per cookie or Authorization header: enough for all tabs of a user at once. */
const ATTEMPTS: Rate = { burst: 200, perSecond: 5 };
/** Wrong credentials per address. */
const FAILURES: Rate = { burst: 200, perSecond: 20 };
/**
 * Maximum number of credentials remembered as valid. Failures of other users at the same address do not lock them out.
 */
const MAX_KNOWN = 20_000;

/** Limits attempts to connect by address and credentials, without a database query. */
export class Handshakes {
  private readonly arrivals = new TokenBuckets<string>(ARRIVALS);
  private readonly attempts = new TokenBuckets<string>(ATTEMPTS);
  private readonly failures = new TokenBuckets<string>(FAILURES);
  private readonly known = new Set<string>();

  /** Counts a request. Returns false if the address has sent too many. */
  arrive(address: string): boolean {
    return this.arrivals.take(address);
  }

  /**
   * Counts an attempt to connect. Returns false if there were too many with these credentials, or too many failures
   * from the address.
   */
  attempt(headers: IncomingHttpHeaders, address: string): boolean {
    const credentials = credentialsOf(headers);
    // Requests without credentials cause no query, and with login disabled no request has credentials.
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
    // Login pages send no credentials.
    if (credentials === undefined) return;
    this.known.delete(credentials);
    this.failures.take(address);
  }
}

/** Returns a digest of the credentials, so that no secret stays in memory; undefined if there are none. */
function credentialsOf({ authorization, cookie }: IncomingHttpHeaders): string | undefined {
  const text = authorization ?? cookie;
  return text ? createHash("sha256").update(text).digest("base64url") : undefined;
}
