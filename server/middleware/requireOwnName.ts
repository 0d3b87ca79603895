import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import type { Env } from "../base/env";
import { HttpError } from "../base/errors";

/** Names that cannot be registered: without a dot, or reserved for local networks by RFC 6761, 6762, 8375 and ICANN. */
const LOCAL_NAME = /^[^.]+$|\.(localhost|local|lan|internal|home\.arpa|test)$/;

/**
 * Throws 421 for requests under a foreign host name while login is disabled. Another site can make its own name resolve
 * to this machine (DNS rebinding), and browsers then treat its page as one of Limn's. Behind a trusted proxy, checking
 * names is up to the proxy.
 */
export function requireOwnName({ host = "" }: IncomingHttpHeaders, { HOST, TRUST_PROXY }: Env): void {
  if (TRUST_PROXY || host === "") return;
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, "") : "";
  const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  if (isAddress || LOCAL_NAME.test(name) || name === HOST.toLowerCase()) return;
  throw new HttpError(421, "With login disabled, the server responds only to its address, local names and HOST.");
}
