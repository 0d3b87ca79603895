import { t } from "@lingui/core/macro";
import { isColor } from "../../../shared/color/hex";
import { KEYPOINT_PALETTE } from "../../../shared/constants";
import type { Category } from "../../../shared/entities/category";

/** A keypoint label in the editor. */
export interface KeypointRow {
  /** Identity of the row. Edges refer to it, so they survive renaming and reordering. */
  key: number;
  /** 1-based number of the label in the original definition; null for a new label. */
  from: number | null;
  label: string;
  color: string;
  /** Keys of the connected rows. Each edge is stored in both rows. */
  edges: number[];
}

type Definition = Pick<Category, "keypoint_labels" | "keypoint_edges" | "keypoint_colors">;

/** Converts a definition, whose edges are pairs of 1-based label numbers, to editor rows. */
export function rowsOf(definition: Definition): KeypointRow[] {
  return definition.keypoint_labels.map((label, index) => ({
    key: index + 1,
    from: index + 1,
    label,
    color: definition.keypoint_colors[index] ?? paletteColor(index),
    edges: joinedWith(index + 1, definition.keypoint_edges),
  }));
}

function joinedWith(number: number, edges: Definition["keypoint_edges"]): number[] {
  const others = edges.flatMap(([a, b]) => (a === number ? [b] : b === number ? [a] : []));
  return [...new Set(others)].filter((other) => other !== number);
}

/** Returns the rows that have a label. Forms with other rows are not sent. */
export const namedRows = (rows: readonly KeypointRow[]): KeypointRow[] => rows.filter((row) => row.label.trim() !== "");

/**
 * Converts rows to a definition. Each edge appears once; edges of the original definition (`before`) keep their
 * order.
 */
export function keypointsOf(rows: readonly KeypointRow[], before: Definition["keypoint_edges"] = []): Definition {
  const named = namedRows(rows);
  const numberOf = new Map(named.map((row, index) => [row.key, index + 1]));
  const joins = new Map<string, [number, number]>();
  const keyOf = (from: number) => named.find((row) => row.from === from)?.key ?? 0;
  const all = [
    ...before.map(([a, b]) => [keyOf(a), keyOf(b)] as const),
    ...named.flatMap((row) => row.edges.map((other) => [row.key, other] as const)),
  ];
  for (const [a, b] of all) {
    const [from, to] = [numberOf.get(a), numberOf.get(b)];
    const exists = named.some((row) => row.key === a && row.edges.includes(b));
    if (!from || !to || !exists || joins.has(`${b} ${a}`)) continue;
    joins.set(`${a} ${b}`, [from, to]);
  }
  const keypoint_edges = [...joins.values()];
  return {
    keypoint_labels: named.map((row) => row.label.trim()),
    keypoint_colors: named.map((row) => row.color.toLowerCase()),
    keypoint_edges,
  };
}

export function addRow(rows: readonly KeypointRow[]): KeypointRow[] {
  const key = Math.max(0, ...rows.map((row) => row.key)) + 1;
  return [...rows, { key, from: null, label: "", color: paletteColor(rows.length), edges: [] }];
}

export const removeRow = (rows: readonly KeypointRow[], key: number): KeypointRow[] =>
  rows.filter((row) => row.key !== key).map((row) => ({ ...row, edges: row.edges.filter((other) => other !== key) }));

/** Returns the rows with one moved by some places, at most to either end. */
export function moveRow(rows: readonly KeypointRow[], key: number, by: number): KeypointRow[] {
  const moved = rows.filter((row) => row.key === key);
  const rest = rows.filter((row) => row.key !== key);
  const at = Math.max(0, Math.min(rest.length, rows.findIndex((row) => row.key === key) + by));
  return [...rest.slice(0, at), ...moved, ...rest.slice(at)];
}

export const changeRow = (
  rows: readonly KeypointRow[],
  key: number,
  part: Partial<Pick<KeypointRow, "label" | "color">>,
): KeypointRow[] => rows.map((row) => (row.key === key ? { ...row, ...part } : row));

/** Connects row `key` with exactly the rows in `edges`, and updates the rows at the other ends. */
export const setEdges = (rows: readonly KeypointRow[], key: number, edges: number[]): KeypointRow[] =>
  rows.map((row) => {
    if (row.key === key) return { ...row, edges };
    const others = row.edges.filter((other) => other !== key);
    return { ...row, edges: edges.includes(row.key) ? [...others, key] : others };
  });

/** Returns error messages by row key. */
export function errorsOf(rows: readonly KeypointRow[]): Map<number, string> {
  const errors = new Map<number, string>();
  for (const row of rows) {
    const label = row.label.trim();
    if (!isColor(row.color)) errors.set(row.key, t`Invalid HEX color.`);
    if (label === "") errors.set(row.key, t`Label is required`);
    if (label !== "" && rows.some((other) => other !== row && other.label.trim() === label))
      errors.set(row.key, t`Duplicate keypoint label`);
  }
  return errors;
}

const paletteColor = (index: number): string => KEYPOINT_PALETTE[index % KEYPOINT_PALETTE.length]!;
