const LENGTH = 16;
/** Random bytes for many UUIDs, because each call of the browser's function takes microseconds. */
const bytes = new Uint8Array(LENGTH * 256);
let used = bytes.length;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Returns a random (version 4) UUID, also on plain http, where browsers have no function for it. */
export function uuid(): string {
  if (used === bytes.length) {
    crypto.getRandomValues(bytes);
    used = 0;
  }
  const from = used;
  used += LENGTH;
  bytes[from + 6] = (bytes[from + 6]! & 0x0f) | 0x40;
  bytes[from + 8] = (bytes[from + 8]! & 0x3f) | 0x80;
  let text = "";
  for (let i = 0; i < LENGTH; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += "-";
    text += HEX[bytes[from + i]!]!;
  }
  return text;
}
