/**
 * The file name that a part of a multipart body bears, or null where it bears none and is a field. `disposition` is the
 * part's Content-Disposition, a byte a character: the bytes come in pieces, and a letter may lie on two of them. Browsers
 * write the name itself, with %22 for a quotation mark, and curl with a backslash before it (RFC 7578, section 4.2);
 * Python's requests of some years writes letters beyond ASCII as `filename*` alone (RFC 8187). A name after a backslash
 * is all that counts of a path of Windows.
 */
export function nameOfPart(disposition: string): string | null {
  const header = Buffer.from(disposition, "latin1").toString("utf8");
  const [, charset, escaped] = /;\s*filename\*=(utf-8|iso-8859-1)'[^';]*'([^;\s"]+)/i.exec(header) ?? [];
  const extended = escaped === undefined ? undefined : decoded(escaped, charset?.toLowerCase() === "utf-8");
  if (extended !== undefined) return extended;
  const [, quoted, token] = /;\s*filename=(?:"((?:\\"|[^"])*)"|([^\s;"]*))/i.exec(header) ?? [];
  const name = quoted ?? token;
  if (name === undefined) return null;
  return name.replaceAll('\\"', "%22").replace(/^.*\\/, "").replaceAll("%22", '"');
}

/** Undefined where the escapes are none. */
function decoded(escaped: string, isUtf8: boolean): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(escaped)) return undefined;
  const bytes = escaped.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isUtf8 ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}
