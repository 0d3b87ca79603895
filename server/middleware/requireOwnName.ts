import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import type { Env } from "../base/env";
import { HttpError } from "../base/errors";

/** Names that nobody can register: those without a dot, and those that RFC 6761, 6762, 8375 and ICANN keep for one's own net. */
const LOCAL_NAME = /^[^.]+$|\.(localhost|local|lan|internal|home\.arpa|test)$/;

/**
 * Refuses (421) requests that reach us under a name of somebody else's, where nobody logs in. A page can have its own
 * name lead to this machine (DNS rebinding); browsers then take it for a page of ours. Behind a trusted proxy names are
 * the proxy's business.
 */
export function requireOwnName({ host = "" }: IncomingHttpHeaders, { HOST, TRUST_PROXY }: Env): void {
  if (TRUST_PROXY || host === "") return;
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, "") : "";
  const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  if (isAddress || LOCAL_NAME.test(name) || name === HOST.toLowerCase()) return;
  throw new HttpError(421, "Without log-in the server answers to its address and to local names only, or to HOST's.");
}
