import type { MessageDescriptor } from "@lingui/core";
import { i18n } from "./i18n";

/** A text with values, such as "Invalid format: {name}". */
interface Pattern {
  text: MessageDescriptor;
  form: RegExp;
  names: string[];
}

type Texts = typeof import("./serverTexts");

let texts: (Pick<Texts, "exactTexts"> & { patterns: Pattern[] }) | undefined;

/** Loads the table of the server's texts, which `serverText` needs in every language but English. */
export async function loadServerTexts(): Promise<void> {
  const { exactTexts, textsWithValues } = await import("./serverTexts");
  texts ??= { exactTexts, patterns: textsWithValues.map(patternOf) };
}

/**
 * Returns a text of the server in the language of the page, or unchanged if it has no translation or the table is not
 * loaded yet. Of several lines, translates each.
 */
export function serverText(text: string): string {
  if (i18n.locale === "en" || !texts) return text;
  const { exactTexts, patterns } = texts;
  const known = Object.hasOwn(exactTexts, text) ? exactTexts[text] : undefined;
  if (known) return i18n._(known);
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
