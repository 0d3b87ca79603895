import { readFileSync } from "node:fs";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, it } from "vitest";
import {
  catalogueFile,
  type Entry,
  idOf,
  PARTS,
  readCatalogue,
  TRANSLATED,
} from "../../../scripts/languages/catalogue";
import { collectTexts } from "../../../scripts/languages/collect";

/** Catalogues against the sources. `npm run languages` brings them up to date; translations are then added by hand. */

const texts = await collectTexts();
const show = ({ message, context }: Entry): string => (context ? `${message} (${context})` : message);

describe.each(TRANSLATED)("the catalogues of %s", (language) => {
  const catalogues = PARTS.map((part) => readCatalogue(readFileSync(catalogueFile(language, part), "utf8")));
  const translated = catalogues.flat().filter(({ translation }) => translation !== "");

  it.each(PARTS)("have exactly the texts of the sources in part %s", (part) => {
    const entries = catalogues[PARTS.indexOf(part)]!;
    expect(entries.map(show).sort()).toEqual(texts[part].map(show).sort());
  });

  it("translate all texts", () => {
    expect(
      catalogues
        .flat()
        .filter(({ translation }) => translation === "")
        .map(show),
    ).toEqual([]);
  });

  it("have the placeholders and elements of the English texts", () => {
    const differing = translated.filter((entry) => partsOf(entry.translation) !== partsOf(entry.message));
    expect(differing.map(({ translation }) => translation)).toEqual([]);
  });

  it("have the plural forms of the language", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const needed = forms.filter((form) => form !== "many");
    for (const entry of translated)
      for (const cases of pluralsOf(entry.translation))
        expect(cases.filter((form) => !form.startsWith("=") && form !== "offset").sort(), entry.translation).toEqual(
          [...needed].sort(),
        );
  });
});

it("gives every text one id", () => {
  const ids = PARTS.flatMap((part) => texts[part].map(idOf));
  expect(new Set(ids).size).toBe(ids.length);
});

type Token = string | [string, string?, (Record<string, unknown> | string)?];

/** Returns names of placeholders and numbers of elements, each once, whatever their order. */
function partsOf(message: string): string {
  const names = new Set<string>();
  walk(compileMessage(message), (name) => names.add(name));
  for (const [tag] of message.matchAll(/<\/?\d+\/?>/g)) names.add(tag);
  return [...names].sort().join(" ");
}

/** Returns the forms of each plural in a message. */
function pluralsOf(message: string): string[][] {
  const found: string[][] = [];
  walk(compileMessage(message), (_, type, cases) => {
    if (type === "plural" && typeof cases === "object") found.push(Object.keys(cases));
  });
  return found;
}

function walk(tokens: unknown, onPlaceholder: (name: string, type?: string, cases?: Token[2]) => void): void {
  if (!Array.isArray(tokens)) return;
  for (const token of tokens as Token[]) {
    if (typeof token === "string") continue;
    const [name, type, cases] = token;
    onPlaceholder(name, type, cases);
    if (typeof cases === "object") for (const part of Object.values(cases)) walk(part, onPlaceholder);
  }
}
