import { BlockList, isIP } from "node:net";

/**
 * Returns true if an address belongs to the public internet. All others may lead into the server's own network:
 * loopback, private, link-local, multicast, reserved, and IPv6 forms of IPv4 addresses. Follows the IANA
 * special-purpose address registries (RFC 6890 and its updates).
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !notPublic.check(address, "ipv4");
  if (version === 6) return globalUnicast.check(address, "ipv6") && !notPublic.check(address, "ipv6");
  return false;
}

const notPublic = new BlockList();
for (const range of [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
])
  addRange(notPublic, range, "ipv4");
// In order: protocol assignments with Teredo, documentation, 6to4 (which embeds an IPv4 address), documentation.
for (const range of ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]) addRange(notPublic, range, "ipv6");

/** The only globally routed IPv6 addresses. They include no mapped or translated IPv4 addresses. */
const globalUnicast = new BlockList();
addRange(globalUnicast, "2000::/3", "ipv6");

function addRange(list: BlockList, range: string, family: "ipv4" | "ipv6"): void {
  const [network = "", prefix = ""] = range.split("/");
  list.addSubnet(network, Number(prefix), family);
}
