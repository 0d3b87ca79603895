import { badRequest } from "../../base/errors";

/**
 * Throws 400 unless the address is empty or its origin matches an allowed one. Matches as a content security policy
 * does: `*` stands for any port, a leading `*.` for any subdomain.
 */
export function requireAllowedOrigin(address: string, allowed: readonly string[]): void {
  if (address === "") return;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw wrong("The annotate URL must be an http or https address.");
  if (allowed.some((origin) => matches(url, origin))) return;
  throw wrong(`The origin ${url.origin} is not allowed. The server's administrator can add it to ANNOTATE_ORIGINS.`);
}

function matches(url: URL, origin: string): boolean {
  const [, scheme, host = "", port = ""] = /^(https?:)\/\/(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(origin) ?? [];
  const hostFits = host.startsWith("*.") ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
  return scheme === url.protocol && hostFits && (port === "*" || port === (url.port || defaultPort(url, port)));
}

const defaultPort = (url: URL, written: string): string =>
  written === "" ? "" : url.protocol === "https:" ? "443" : "80";

const wrong = (message: string) => badRequest(message, { annotate_url: message });
