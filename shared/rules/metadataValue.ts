import { type Json, type Metadata, metadata as metadataSchema } from "../entities/scalars";

/**
 * A line of a metadata editor. `origin` is the entry that the line stands for: as long as its text is not changed, its
 * value is kept as it is, whatever it is.
 */
export interface MetadataRow {
  key: string;
  text: string;
  origin?: { key: string; text: string; value: Json };
}

/**
 * Converts a typed text to the stored value (specification §5). A number, if the number is written just so: whole
 * numbers up to what a double holds exactly, and decimals. true and false in any case. All else stays the text it is:
 * blanks, 1e3, 0x10, +5, 007, 1.50, twenty digits. So what was typed is what is shown again.
 */
export function parseMetadataValue(text: string): string | number | boolean {
  const lower = text.toLowerCase();
  if (lower === "true" || lower === "false") return lower === "true";
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const number = Number(text);
  const isExact = String(number) === text && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : text;
}

/** A stored value as a line shows it: a text as it is, anything else as JSON. */
export const showMetadataValue = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Objects and lists came by an import: they are shown, and kept as they are. */
export const isFixed = ({ origin }: MetadataRow): boolean => typeof origin?.value === "object" && origin.value !== null;

/** The value that a line would be stored with. */
export function storedValue(row: MetadataRow): Json {
  return row.origin && (isFixed(row) || row.origin.text === row.text) ? row.origin.value : parseMetadataValue(row.text);
}

export function metadataRows(metadata: Metadata): MetadataRow[] {
  return Object.entries(metadata).map(([key, value]) => {
    const text = showMetadataValue(value);
    return { key, text, origin: { key, text, value } };
  });
}

/** Returns an error message for each line that cannot be stored, by its index. */
export function metadataProblems(rows: readonly MetadataRow[], reserved: readonly string[] = []): Map<number, string> {
  const problems = new Map<number, string>();
  const counts = new Map<string, number>();
  for (const { key } of rows) counts.set(key, (counts.get(key) ?? 0) + 1);
  rows.forEach((row, index) => {
    if (isBlank(row)) return;
    if ((counts.get(row.key) ?? 0) > 1) problems.set(index, "Duplicate key");
    else if (reserved.includes(row.key)) problems.set(index, `“${row.key}” has a field of its own`);
    else if (!isStorableEntry(row)) problems.set(index, "This cannot be stored");
  });
  return problems;
}

/** Lines as they are stored: those with an empty key are dropped. Lines must be without problems. */
export function metadataOf(rows: readonly MetadataRow[]): Metadata {
  return Object.fromEntries(rows.filter((row) => !isBlank(row)).map((row) => [row.key, storedValue(row)]));
}

/** The schema passes over `__proto__` without a word. */
const isStorableEntry = (row: MetadataRow): boolean =>
  row.key !== "__proto__" && metadataSchema.safeParse({ [row.key]: storedValue(row) }).success;

/** A key of blanks alone is empty, unless it came so. */
const isBlank = ({ key, origin }: MetadataRow): boolean =>
  key === "" || (key.trim() === "" && (origin === undefined || origin.key !== key));
