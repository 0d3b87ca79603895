import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import type { Json } from "../../../shared/entities/scalars";
import { i18n } from "../../languages/i18n";

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
  created: MessageDescriptor;
  matched: MessageDescriptor;
  skipped: MessageDescriptor;
  /** Keyed by the field `how` of a category in the report. */
  categories: Record<string, MessageDescriptor>;
}

const DONE: Texts = {
  created: msg`Created`,
  matched: msg`Already in the dataset`,
  skipped: msg`Skipped annotations`,
  categories: {
    found: msg`Already exists`,
    defined: msg`Already exists, updated with the file's keypoints`,
    restored: msg`Restored from the trash`,
    created: msg`New`,
    own: msg`New, because a category of the same name has different keypoints or is in the trash`,
  },
};

/** Texts for a dry run. */
const TO_BE_DONE: Texts = {
  created: msg`Will be created`,
  matched: msg`Already in the dataset`,
  skipped: msg`Annotations that will be skipped`,
  categories: {
    found: msg`Already exists`,
    defined: msg`Already exists, will be updated with the file's keypoints`,
    restored: msg`Will be restored from the trash`,
    created: msg`Will be created`,
    own: msg`Will be created, because a category of the same name has different keypoints or is in the trash`,
  },
};

/** Converts the report of an import or a dry run to readable sections. Lines with a zero count are left out. */
export function reportSections(report: Report): ReportSection[] {
  const texts = report.dry_run === true ? TO_BE_DONE : DONE;
  const examples = objectOf(report.examples);
  const byKind = (counts: Json | undefined) =>
    Object.entries(objectOf(counts)).map(([kind, count]) => line(capital(kind), count, examples[kind]));
  const annotations = [line(i18n._(texts.created), report.created), line(i18n._(texts.matched), report.matched)];
  const { matched, ...otherImages } = objectOf(report.images);
  const sections: (ReportSection & { isAlways?: true })[] = [
    { title: t`Annotations`, lines: annotations, isAlways: true },
    { title: i18n._(texts.skipped), lines: byKind(report.skipped) },
    { title: t`Notes on annotations`, lines: byKind(report.notes) },
    { title: t`Images`, lines: [line(t`Matched`, matched), ...byKind(otherImages), ...byKind(report.image_notes)] },
    {
      title: t`Categories`,
      lines: [...categoryLines(report.categories, texts.categories), ...byKind(report.category_notes)],
    },
    { title: t`The file`, lines: byKind(report.file_notes) },
    { title: t`Undone`, lines: undoneLines(objectOf(report.undone)) },
  ];
  return sections
    .map(({ lines, ...section }) => ({ ...section, lines: lines.filter(({ count }) => count > 0) }))
    .filter(({ lines, isAlways }) => lines.length > 0 || isAlways)
    .map(({ title, lines }) => ({ title, lines }));
}

function categoryLines(categories: Json | undefined, texts: Texts["categories"]): ReportLine[] {
  const names = new Map<string, string[]>();
  for (const category of Array.isArray(categories) ? categories.map(objectOf) : []) {
    const how = String(category.how);
    names.set(how, [...(names.get(how) ?? []), String(category.name)]);
  }
  return [...names].map(([how, list]) => ({
    text: textOf(texts[how]) ?? capital(how),
    count: list.length,
    examples: list,
  }));
}

const textOf = (text: MessageDescriptor | undefined): string | undefined => text && i18n._(text);

const undoneLines = (undone: Report): ReportLine[] => [
  line(t`Annotations removed`, undone.removed),
  line(t`Kept, because they were changed later`, undone.kept),
];

function line(text: string, count: Json | undefined, examples?: Json): ReportLine {
  const list = Array.isArray(examples) ? examples.map(String) : [];
  return { text, count: typeof count === "number" ? count : 0, examples: list };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");

export const objectOf = (value: Json | undefined): Report =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
