import type { Json } from "../../../shared/entities/scalars";

/** A line of an import's report: an outcome, its count, and examples. */
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

interface Texts {
  created: string;
  matched: string;
  skipped: string;
  /** Keyed by the field `how` of a category in the report. */
  categories: Record<string, string>;
}

const DONE: Texts = {
  created: "Created",
  matched: "Already in the dataset",
  skipped: "Skipped annotations",
  categories: {
    found: "Already exists",
    defined: "Already exists, updated with the file's keypoints",
    restored: "Restored from the trash",
    created: "New",
    own: "New, because a category of the same name has different keypoints or is in the trash",
  },
};

/** Texts for a dry run. */
const TO_BE_DONE: Texts = {
  created: "Will be created",
  matched: "Already in the dataset",
  skipped: "Annotations that will be skipped",
  categories: {
    found: "Already exists",
    defined: "Already exists, will be updated with the file's keypoints",
    restored: "Will be restored from the trash",
    created: "Will be created",
    own: "Will be created, because a category of the same name has different keypoints or is in the trash",
  },
};

/** Converts the report of an import or a dry run to readable sections. Lines with a zero count are left out. */
export function reportSections(report: Report): ReportSection[] {
  const texts = report.dry_run === true ? TO_BE_DONE : DONE;
  const examples = objectOf(report.examples);
  const byKind = (counts: Json | undefined) =>
    Object.entries(objectOf(counts)).map(([kind, count]) => line(capital(kind), count, examples[kind]));
  const annotations = [line(texts.created, report.created), line(texts.matched, report.matched)];
  const { matched, ...otherImages } = objectOf(report.images);
  const sections = [
    { title: "Annotations", lines: annotations },
    { title: texts.skipped, lines: byKind(report.skipped) },
    { title: "Notes on annotations", lines: byKind(report.notes) },
    { title: "Images", lines: [line("Matched", matched), ...byKind(otherImages), ...byKind(report.image_notes)] },
    {
      title: "Categories",
      lines: [...categoryLines(report.categories, texts.categories), ...byKind(report.category_notes)],
    },
    { title: "The file", lines: byKind(report.file_notes) },
    { title: "Undone", lines: undoneLines(objectOf(report.undone)) },
  ];
  return sections
    .map(({ title, lines }) => ({ title, lines: lines.filter(({ count }) => count > 0) }))
    .filter(({ title, lines }) => lines.length > 0 || title === "Annotations");
}

function categoryLines(categories: Json | undefined, texts: Texts["categories"]): ReportLine[] {
  const names = new Map<string, string[]>();
  for (const category of Array.isArray(categories) ? categories.map(objectOf) : []) {
    const how = String(category.how);
    names.set(how, [...(names.get(how) ?? []), String(category.name)]);
  }
  return [...names].map(([how, list]) => ({
    text: texts[how] ?? capital(how),
    count: list.length,
    examples: list,
  }));
}

const undoneLines = (undone: Report): ReportLine[] => [
  line("Annotations removed", undone.removed),
  line("Kept, because they were changed later", undone.kept),
];

function line(text: string, count: Json | undefined, examples?: Json): ReportLine {
  const list = Array.isArray(examples) ? examples.map(String) : [];
  return { text, count: typeof count === "number" ? count : 0, examples: list };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");

export const objectOf = (value: Json | undefined): Report =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
