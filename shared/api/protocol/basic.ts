export interface Credentials {
  username: string;
  password: string;
}

/** Returns the HTTP Basic header (RFC 7617) in UTF-8. The username must not contain a colon, which would end it. */
export function basicOf({ username, password }: Credentials): string {
  return `Basic ${base64(bytesOf(`${username}:${password}`))}`;
}

/**
 * Encodes bytes by RFC 4648, section 4. Does not use `btoa`, which is not part of the language and accepts only
 * Latin-1.
 */
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

/** Returns the text in UTF-8. Throws a URIError for a lone surrogate. */
const bytesOf = (text: string): number[] =>
  [...encodeURIComponent(text).matchAll(/%(..)|./g)].map(([one, hex]) =>
    hex ? Number.parseInt(hex, 16) : one.charCodeAt(0),
  );
