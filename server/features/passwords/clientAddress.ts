import { isIP } from "node:net";

/**
 * Returns the part of a network address that limits count by: a whole IPv4 address, and of IPv6 the first 64 bits, since
 * one machine has all the rest to itself (RFC 6177). A port, a zone and the IPv4-mapped form are taken off. What is no
 * address (a proxy may write "unknown") counts as one address of its own.
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

/** The eight groups of a valid IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // The URL parser writes each address in one way only (RFC 5952).
  const [before = "", after] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const head = before.split(":").filter(Boolean);
  const tail = (after ?? "").split(":").filter(Boolean);
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
}

const bytesOf = (group: string): number[] => {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
};
