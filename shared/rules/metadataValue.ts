import { type Json, type Metadata, metadata as metadataSchema } from "../entities/scalars";

/**
 * A row of a metadata editor. `origin` is the stored entry: while the text is unchanged, its value is kept, whatever
 * its type.
 */
export interface MetadataRow {
  key: string;
  text: string;
  origin?: { key: string; text: string; value: Json };
}

/**
 * Converts typed text to the stored value (specification §5). A number, if JavaScript writes it in the same way: whole
 * numbers that a double holds exactly, and decimals. A boolean for true and false, case-insensitive. Everything else
 * stays text: spaces, 1e3, 0x10, +5, 007, 1.50, twenty digits. So users see again exactly what they typed.
 */
export function parseMetadataValue(text: string): string | number | boolean {
  const lower = text.toLowerCase();
  if (lower === "true" || lower === "false") return lower === "true";
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const number = Number(text);
  const isExact = String(number) === text && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : text;
}

/** Returns a stored value as a row shows it: a string as it is, anything else as JSON. */
export const showMetadataValue = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** True for objects and lists, which come from an import: they are shown but cannot be edited. */
export const isFixed = ({ origin }: MetadataRow): boolean => typeof origin?.value === "object" && origin.value !== null;

/** Returns the value that a row would be stored with. */
export function storedValue(row: MetadataRow): Json {
  return row.origin && (isFixed(row) || row.origin.text === row.text) ? row.origin.value : parseMetadataValue(row.text);
}

export function metadataRows(metadata: Metadata): MetadataRow[] {
  return Object.entries(metadata).map(([key, value]) => {
    const text = showMetadataValue(value);
    return { key, text, origin: { key, text, value } };
  });
}

/** Returns the error messages of rows that cannot be stored, by row index. */
export function metadataProblems(rows: readonly MetadataRow[], reserved: readonly string[] = []): Map<number, string> {
  const problems = new Map<number, string>();
  const counts = new Map<string, number>();
  for (const { key } of rows) counts.set(key, (counts.get(key) ?? 0) + 1);
  rows.forEach((row, index) => {
    if (isBlank(row)) return;
    if ((counts.get(row.key) ?? 0) > 1) problems.set(index, "Duplicate key");
    else if (reserved.includes(row.key)) problems.set(index, `“${row.key}” has its own field`);
    else if (!isStorableEntry(row)) problems.set(index, "This entry cannot be stored");
  });
  return problems;
}

/** Returns the metadata to store. Rows with an empty key are dropped. There must be no `metadataProblems`. */
export function metadataOf(rows: readonly MetadataRow[]): Metadata {
  return Object.fromEntries(rows.filter((row) => !isBlank(row)).map((row) => [row.key, storedValue(row)]));
}

/** Checks `__proto__` separately, since the schema silently ignores it. */
const isStorableEntry = (row: MetadataRow): boolean =>
  row.key !== "__proto__" && metadataSchema.safeParse({ [row.key]: storedValue(row) }).success;

/** True if the key is empty. A key of spaces alone counts as empty, unless it is stored like that. */
const isBlank = ({ key, origin }: MetadataRow): boolean =>
  key === "" || (key.trim() === "" && (origin === undefined || origin.key !== key));
