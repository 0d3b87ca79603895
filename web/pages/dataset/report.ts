import type { Json } from "../../../shared/entities/scalars";

/** A thing that an import did, how often, and some of what it did it to. */
export interface ReportLine {
  text: string;
  count: number;
  examples: string[];
}

export interface ReportSection {
  title: string;
  lines: ReportLine[];
}

type Report = Record<string, Json>;

const CATEGORY_TEXTS: Record<string, string> = {
  found: "Were there already",
  defined: "Were there already and took the file's keypoints",
  restored: "Were in the bin and are back",
  created: "Are new",
  own: "Are new, because one of the same name has other keypoints or lies in the bin",
};

/** An import's report in sections for people; what did not happen is left out. */
export function reportSections(report: Report): ReportSection[] {
  const examples = objectOf(report.examples);
  const byKind = (counts: Json | undefined) =>
    Object.entries(objectOf(counts)).map(([kind, count]) => line(capital(kind), count, examples[kind]));
  const annotations = [line("Created", report.created), line("Were there already", report.matched)];
  const { matched, ...otherImages } = objectOf(report.images);
  const sections = [
    { title: "Annotations", lines: annotations },
    { title: "Skipped annotations", lines: byKind(report.skipped) },
    { title: "Notes on annotations", lines: byKind(report.notes) },
    { title: "Images", lines: [line("Matched", matched), ...byKind(otherImages)] },
    { title: "Categories", lines: [...categoryLines(report.categories), ...byKind(report.category_notes)] },
    { title: "The file", lines: byKind(report.file_notes) },
    { title: "Taken back", lines: undoneLines(objectOf(report.undone)) },
  ];
  return sections
    .map(({ title, lines }) => ({ title, lines: lines.filter(({ count }) => count > 0) }))
    .filter(({ title, lines }) => lines.length > 0 || title === "Annotations");
}

function categoryLines(categories: Json | undefined): ReportLine[] {
  const names = new Map<string, string[]>();
  for (const category of Array.isArray(categories) ? categories.map(objectOf) : []) {
    const how = String(category.how);
    names.set(how, [...(names.get(how) ?? []), String(category.name)]);
  }
  return [...names].map(([how, list]) => ({
    text: CATEGORY_TEXTS[how] ?? capital(how),
    count: list.length,
    examples: list,
  }));
}

const undoneLines = (undone: Report): ReportLine[] => [
  line("Annotations removed", undone.removed),
  line("Kept, because somebody has changed them since", undone.kept),
];

function line(text: string, count: Json | undefined, examples?: Json): ReportLine {
  const list = Array.isArray(examples) ? examples.map(String) : [];
  return { text, count: typeof count === "number" ? count : 0, examples: list };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");

export const objectOf = (value: Json | undefined): Report =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
