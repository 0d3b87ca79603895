import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { i18n } from "../../languages/i18n";
import { refusals, TITLES } from "./refusals";
import { taskNames } from "./taskNames";

/** English texts that come from the server or from the declarations of its calls. */

/** Groups of tasks (`shared/entities/task.ts`). */
const GROUPS: Record<string, MessageDescriptor> = {
  "Directory Image Scan": msg`Directory Image Scan`,
  "Image Generation": msg`Image Generation`,
  "Image Upload": msg`Image Upload`,
  "Annotation Import": msg`Annotation Import`,
  "Annotation Import Dry Run": msg`Annotation Import Dry Run`,
  "Image Changes": msg`Image Changes`,
  "Box Outlines": msg`Box Outlines`,
  "Quality Check": msg`Quality Check`,
  "Quality Fixes": msg`Quality Fixes`,
  Consensus: msg`Consensus`,
  "Image Comparison": msg`Image Comparison`,
  "Permanent Deletion": msg`Permanent Deletion`,
  "Annotation Export": msg`Annotation Export`,
  "Dataset Version": msg`Dataset Version`,
};

/** Names of figures (`shared/statistics/statisticsOfSums.ts`), without units of time. */
const FIGURES: Record<string, MessageDescriptor> = {
  "Annotated Images": msg`Annotated Images`,
  "Annotation Area (px)": msg`Annotation Area (px)`,
  Annotations: msg`Annotations`,
  Categories: msg`Categories`,
  "Image Height (px)": msg`Image Height (px)`,
  Images: msg`Images`,
  "Time Annotating": msg`Time Annotating`,
  "Time per Annotation": msg`Time per Annotation`,
  "Time per Image": msg`Time per Image`,
  Users: msg`Users`,
};

const EXACT: Record<string, MessageDescriptor> = { ...FIGURES, ...GROUPS, ...TITLES };

/** A text with values, such as "Invalid format: {name}". */
interface Pattern {
  text: MessageDescriptor;
  form: RegExp;
  names: string[];
}

let patterns: Pattern[] | undefined;

/**
 * Returns a text of the server in the language of the page, or unchanged if it has no translation. Of several lines,
 * translates each.
 */
export function serverText(text: string): string {
  if (i18n.locale === "en") return text;
  const known = Object.hasOwn(EXACT, text) ? EXACT[text] : undefined;
  if (known) return i18n._(known);
  patterns ??= [...refusals, ...taskNames].map(patternOf);
  for (const { text: found, form, names } of patterns) {
    const match = form.exec(text);
    if (match)
      return i18n._({
        ...found,
        values: Object.fromEntries(names.map((name, i) => [name, valueText(name, match[i + 1] ?? "")])),
      });
  }
  return text.includes("\n") ? text.split("\n").map(serverText).join("\n") : text;
}

const valueText = (name: string, value: string): string => (name === "reason" ? serverText(value) : value);

/** Returns the form of a text whose values are not known. */
function patternOf(text: MessageDescriptor): Pattern {
  // The build compiles messages to a text, or to a list of texts and of lists that begin with the name of a value.
  const parts: unknown[] = Array.isArray(text.message) ? text.message : [text.message];
  const names: string[] = [];
  const form = parts.map((part) => {
    if (typeof part === "string") return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    if (Array.isArray(part)) names.push(String(part[0]));
    return "(.+)";
  });
  return { text, form: new RegExp(`^${form.join("")}$`, "s"), names };
}
