import { baseUrl } from "./url";

/**
 * Returns a path inside the application for the router, or undefined. The value of `?redirect=` is untrusted: an
 * address outside (`//evil.example`, `/\evil.example`, `javascript:`) must not be followed.
 */
export function safePath(wanted: string | null): string | undefined {
  if (!wanted?.startsWith("/") || /[\\\p{Cc}]/u.test(wanted)) return undefined;
  const { origin } = baseUrl();
  if (!URL.canParse(wanted, origin)) return undefined;
  const address = new URL(wanted, origin);
  if (address.origin !== origin || wanted.startsWith("//") || address.pathname.startsWith("//")) return undefined;
  return address.pathname + address.search + address.hash;
}
