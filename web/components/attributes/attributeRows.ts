import { t } from "@lingui/core/macro";
import type { AttributeDefinition, AttributeType } from "../../../shared/entities/attribute";
import { MAX_ATTRIBUTES, RESERVED_ATTRIBUTES } from "../../../shared/entities/attribute";

/** An attribute in the editor of a category. */
export interface AttributeRow {
  /** Identity of the row while the form is open. */
  row: number;
  name: string;
  type: AttributeType;
  choices: string[];
  required: boolean;
  /** As text: "true" or "false" for a flag; empty without a default. */
  default: string;
  key: string;
}

export const rowsOfAttributes = (definitions: readonly AttributeDefinition[] = []): AttributeRow[] =>
  definitions.map(({ default: given, key, ...definition }, index) => ({
    row: index + 1,
    ...definition,
    choices: [...definition.choices],
    default: given === null ? "" : String(given),
    key: key ?? "",
  }));

/** Returns the definitions of the rows that have a name. */
export function attributesOf(rows: readonly AttributeRow[]): AttributeDefinition[] {
  return rows
    .filter(({ name }) => name.trim() !== "")
    .map((row) => ({
      name: row.name.trim(),
      type: row.type,
      choices: row.type === "choice" ? row.choices : [],
      required: row.required,
      default: defaultOf(row),
      key: row.key === "" ? null : row.key.toLowerCase(),
    }));
}

function defaultOf(row: AttributeRow): AttributeDefinition["default"] {
  if (row.default === "") return null;
  if (row.type === "flag") return row.default === "true";
  if (row.type === "number") return Number(row.default);
  return row.default;
}

export function addAttribute(rows: readonly AttributeRow[]): AttributeRow[] {
  if (rows.length >= MAX_ATTRIBUTES) return [...rows];
  const row = Math.max(0, ...rows.map((each) => each.row)) + 1;
  return [...rows, { row, name: "", type: "choice", choices: [], required: false, default: "", key: "" }];
}

/** Changes a row. Clears the default if the type changes, or if the default is a choice that was removed. */
export function changeAttribute(
  rows: readonly AttributeRow[],
  row: number,
  part: Partial<Omit<AttributeRow, "row">>,
): AttributeRow[] {
  return rows.map((old) => {
    if (old.row !== row) return old;
    const next = { ...old, ...part };
    const isLost = next.type === "choice" && next.default !== "" && !next.choices.includes(next.default);
    const isOther = next.type !== old.type && part.default === undefined;
    return isOther || isLost ? { ...next, default: "" } : next;
  });
}

export const removeAttribute = (rows: readonly AttributeRow[], row: number): AttributeRow[] =>
  rows.filter((each) => each.row !== row);

/** Returns error messages by row. */
export function attributeErrors(rows: readonly AttributeRow[]): Map<number, string> {
  const errors = new Map<number, string>();
  for (const row of rows) {
    const problem = problemOf(row, rows);
    if (problem) errors.set(row.row, problem);
  }
  return errors;
}

function problemOf(row: AttributeRow, rows: readonly AttributeRow[]): string | undefined {
  const name = row.name.trim();
  const isLike = (value: (each: AttributeRow) => string) =>
    value(row) !== "" && rows.some((other) => other !== row && value(other) === value(row));
  if (name === "") return row.choices.length > 0 || row.key !== "" ? t`A name is required` : undefined;
  if (RESERVED_ATTRIBUTES.includes(name)) return t`This name is reserved`;
  if (isLike((each) => each.name.trim())) return t`Another attribute has this name`;
  if (row.type === "choice" && row.choices.length === 0) return t`Add at least one choice`;
  if (row.type === "number" && row.default !== "" && !Number.isFinite(Number(row.default)))
    return t`The default is not a number`;
  if (isLike((each) => each.key.toLowerCase())) return t`Another attribute has this key`;
  return undefined;
}
