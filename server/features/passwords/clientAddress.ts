import { isIP } from "node:net";

/**
 * Returns the part of a network address that limits are counted by: a whole IPv4 address, or the first 64 bits of an
 * IPv6 address, since one machine may use all addresses below them (RFC 6177). Removes a port, a zone and the
 * IPv4-mapped form. Text that is not an address (a proxy may send "unknown") is counted as it is.
 */
export function countedAddress(address: string): string {
  const plain = address
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIP(plain) !== 6) return plain.toLowerCase().slice(0, 100);
  const groups = groupsOf(plain);
  const mapped = groups.slice(0, 6).join() === "0,0,0,0,0,ffff";
  if (mapped) return groups.slice(6).flatMap(bytesOf).join(".");
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** Returns the eight groups of a valid IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // The URL parser normalizes each address to one form (RFC 5952).
  const [before = "", after] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const head = before.split(":").filter(Boolean);
  const tail = (after ?? "").split(":").filter(Boolean);
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
}

const bytesOf = (group: string): number[] => {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
};
