/** Error for a file or line that cannot be used. Import reports count such errors by message. */
export class FormatError extends Error {
  override name = "FormatError";
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const COMMA = /^[+-]?\d+,\d+$/;

/** Parses a decimal number. Throws FormatError for anything else, such as "nan", "inf", "0x1f" and "". */
export function numberOf(text: string): number {
  if (COMMA.test(text)) throw new FormatError("has a number with a comma in place of its decimal point");
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) throw new FormatError("has a value that is not a number");
  return number;
}
