import { FormatError } from "../../../../shared/formats/formatError";

/** Matches the encoding in the XML declaration. */
const DECLARED = /^<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{1,40})["']/i;

/** Decodes a text file by its byte order mark, its XML declaration, or else as UTF-8. Throws FormatError. */
export function decodeText(bytes: Buffer): string {
  const label = markOf(bytes) ?? DECLARED.exec(bytes.subarray(0, 300).toString("latin1"))?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    throw new FormatError(`is not valid ${label.toUpperCase()} text`);
  }
}

function markOf([first, second]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}
