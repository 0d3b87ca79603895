export interface Credentials {
  username: string;
  password: string;
}

/** The header of HTTP Basic (RFC 7617), in UTF-8. A colon in the name would end it there. */
export function basicOf({ username, password }: Credentials): string {
  return `Basic ${base64(bytesOf(`${username}:${password}`))}`;
}

/** RFC 4648, section 4. Not `btoa`: it is none of the language's own, and takes no letters beyond Latin-1. */
function base64(bytes: readonly number[]): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(i, i + 3);
    const sixes = [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63];
    text += sixes.map((six, place) => (i + place > bytes.length ? "=" : LETTERS[six])).join("");
  }
  return text;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** UTF-8. A lone surrogate is refused (URIError). */
const bytesOf = (text: string): number[] =>
  [...encodeURIComponent(text).matchAll(/%(..)|./g)].map(([one, hex]) =>
    hex ? Number.parseInt(hex, 16) : one.charCodeAt(0),
  );
