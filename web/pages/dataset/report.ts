import type { Json } from "../../../shared/entities/scalars";

interface ReportLines {
  numbers: { path: string[]; text: string }[];
  lists: { path: string[]; items: string[] }[];
}

/** A report, however it nests, as lines for people: numbers and texts by their path of keys, lists apart. */
export function reportLines(report: Record<string, Json>, path: string[] = []): ReportLines {
  const lines: ReportLines = { numbers: [], lists: [] };
  for (const [key, value] of Object.entries(report)) {
    const here = [...path, key];
    if (value === null) continue;
    if (Array.isArray(value)) {
      if (value.length > 0) lines.lists.push({ path: here, items: [...new Set(value.map(textOf))] });
    } else if (typeof value === "object") {
      const inner = reportLines(value, here);
      lines.numbers.push(...inner.numbers);
      lines.lists.push(...inner.lists);
    } else lines.numbers.push({ path: here, text: textOf(value) });
  }
  return lines;
}

function textOf(value: Json): string {
  if (typeof value === "number") return value.toLocaleString("en");
  if (typeof value === "string") return value;
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (value === null) return "none";
  return Object.entries(value)
    .map(([key, inner]) => `${labelOf(key)}: ${textOf(inner)}`)
    .join(", ");
}

/** `images_matched` reads "Images matched". */
export function labelOf(key: string): string {
  const words = key
    .replace(/_/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
