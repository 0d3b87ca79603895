/**
 * Returns the file name of a part of a multipart body; null if the part has none and so is a field. `disposition` is
 * the part's Content-Disposition with one character per byte, since bytes arrive in chunks that may split a character.
 * Browsers encode a quotation mark as %22, curl with a backslash (RFC 7578, section 4.2); older versions of Python's
 * requests send non-ASCII names only as `filename*` (RFC 8187). Of a Windows path, returns only the part after the last
 * backslash.
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

/** Decodes percent escapes; returns undefined if they are invalid. */
function decoded(escaped: string, isUtf8: boolean): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(escaped)) return undefined;
  const bytes = escaped.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isUtf8 ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}
