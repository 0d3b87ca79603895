import type { Json, Metadata } from "../../shared/entities/scalars";

/** One line of the metadata editor. `original`: a value that text cannot tell, kept while its text is not changed. */
export interface MetadataRow {
  key: string;
  value: string;
  original?: { text: string; value: Json };
}

export function rowsOf(metadata: Metadata): MetadataRow[] {
  return Object.entries(metadata).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return { key, value: text, original: { text, value } };
  });
}

/** Rows as they are stored: no empty keys; of two equal keys the later counts. */
export function metadataOf(rows: readonly MetadataRow[]): Metadata {
  return Object.fromEntries(
    rows
      .filter((row) => row.key.trim() !== "" && row.key !== "__proto__")
      .map((row) => [row.key, row.original?.text === row.value ? row.original.value : parseValue(row.value)]),
  );
}

/**
 * What a text means: a number, true or false in any case, else the text itself. Decimals stay decimals, numbers beyond
 * exact integers stay text, so that nothing is cut; a blank text is no number.
 */
export function parseValue(text: string): Json {
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed) && Number.isSafeInteger(Number(trimmed))) return Number(trimmed);
  if (/^[+-]?\d+\.\d{1,15}$/.test(trimmed)) return Number(trimmed);
  if (/^true$/i.test(trimmed)) return true;
  if (/^false$/i.test(trimmed)) return false;
  return text;
}
