import { baseUrl } from "./url";

/**
 * A path inside the application, as the router takes it, or undefined. What stands in `?redirect=` comes from whoever
 * made the link: an address elsewhere (`//evil.example`, `/\evil.example`, `javascript:`) must lead nowhere.
 */
export function safePath(wanted: string | null): string | undefined {
  if (!wanted?.startsWith("/") || /[\\\p{Cc}]/u.test(wanted)) return undefined;
  const { origin } = baseUrl();
  if (!URL.canParse(wanted, origin)) return undefined;
  const address = new URL(wanted, origin);
  if (address.origin !== origin || wanted.startsWith("//") || address.pathname.startsWith("//")) return undefined;
  return address.pathname + address.search + address.hash;
}
