import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type CompiledMessage, compileMessage } from "@lingui/message-utils/compileMessage";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import PO from "pofile";

/** Catalogues of translations: files in the PO format, one for each language and part of the application. */

export const root = resolve(import.meta.dirname, "..", "..");

export const TRANSLATED = ["de", "es", "zh", "ja"] as const;
export type Translated = (typeof TRANSLATED)[number];

/** In the order in which the page loads them. A text that several parts use is in the first of these parts only. */
export const PARTS = ["start", "refusals", "pages", "annotator"] as const;
export type Part = (typeof PARTS)[number];

/** A text with all that translators see of it. */
export interface Entry {
  message: string;
  context?: string;
  comments: string[];
  /** Sources that show the text. */
  files: string[];
  /** Empty if the text is not translated yet. */
  translation: string;
}

export const idOf = ({ message, context }: Pick<Entry, "message" | "context">): string =>
  generateMessageId(message, context);

export const catalogueFile = (language: Translated, part: Part): string =>
  join(root, "web", "languages", language, `${part}.po`);

export function readCatalogue(text: string): Entry[] {
  return PO.parse(text).items.map((item) => ({
    message: item.msgid,
    context: item.msgctxt ?? undefined,
    comments: item.extractedComments,
    files: item.references,
    translation: item.msgstr[0] ?? "",
  }));
}

/** Returns all entries of a language. */
export const readLanguage = (language: Translated): Entry[] =>
  PARTS.map((part) => catalogueFile(language, part))
    .filter((file) => existsSync(file))
    .flatMap((file) => readCatalogue(readFileSync(file, "utf8")));

/** Writes a catalogue in the order of its texts, so that two branches rarely change the same lines. */
export function writeCatalogue(language: Translated, part: Part, entries: readonly Entry[]): void {
  const catalogue = new PO();
  catalogue.headers = { Language: language, "Content-Type": "text/plain; charset=UTF-8" };
  catalogue.items = entries.toSorted(byText).map((entry) => {
    const item = new PO.Item();
    item.msgid = entry.message;
    if (entry.context) item.msgctxt = entry.context;
    item.extractedComments = entry.comments;
    item.references = entry.files;
    item.msgstr = [entry.translation];
    return item;
  });
  writeFileSync(catalogueFile(language, part), `${catalogue.toString().trimEnd()}\n`);
}

const byText = (a: Entry, b: Entry): number => {
  const [one, other] = [a, b].map(({ message, context = "" }) => `${message}\n${context}`);
  return one! < other! ? -1 : 1;
};

/** Returns the translations by id, in the form that the page needs no parser for. */
export const compiledMessages = (entries: readonly Entry[]): Record<string, CompiledMessage> =>
  Object.fromEntries(
    entries
      .filter(({ translation }) => translation !== "")
      .map((entry) => [idOf(entry), compileMessage(entry.translation)]),
  );
