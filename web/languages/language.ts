import type { Messages } from "@lingui/core";
import { recall, remember } from "../io/storage/localStore";
import { i18n } from "./i18n";
import { loadServerTexts } from "./serverText";

/** Languages of the application, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", zh: "简体中文", ja: "日本語" } as const;

export type Language = keyof typeof LANGUAGES;

/**
 * Parts of the catalogues: what the first page and its frame show, refusals and failures, which follow after the first
 * page, the other pages, and the annotator. Each part needs the ones before it, since a text that several parts use is
 * in the first of them.
 */
const PARTS = ["start", "refusals", "pages", "annotator"] as const;
export type Part = (typeof PARTS)[number];

const KEY = "language";
const catalogues = import.meta.glob<Messages>("./*/*.po", { import: "messages" });
const neededParts = new Set<Part>(["start"]);
/** The language that is shown, or will be as soon as its texts are loaded. */
let wanted: Language = "en";

export const isLanguage = (value: unknown): value is Language =>
  typeof value === "string" && Object.hasOwn(LANGUAGES, value);

/**
 * Returns the language chosen in this browser, else the first of the browser's languages that there is, else English.
 */
export function preferredLanguage(wanted: readonly string[] = navigator.languages): Language {
  const codes = wanted.map((tag) => tag.split("-", 1)[0]!.toLowerCase());
  return recall(KEY, isLanguage) ?? codes.find(isLanguage) ?? "en";
}

/** Shows the application in `language`, now and at the next visits of this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  remember(KEY, language);
  await showLanguage(language);
}

/** Loads the texts in use in another language. Returns false if they cannot be loaded. */
export async function loadLanguage(language: Language): Promise<boolean> {
  const isLoaded = await Promise.all([...neededParts].map((part) => loadPart(language, part)));
  return !isLoaded.includes(false);
}

/** Shows the page in `language` once the texts in use are loaded, or in English if they cannot be. */
export async function showLanguage(language: Language): Promise<void> {
  wanted = language;
  const isLoaded = await Promise.all([...neededParts].map((part) => loadPart(language, part)));
  if (wanted !== language) return;
  const shown = isLoaded.includes(false) ? "en" : language;
  i18n.activate(shown);
  document.documentElement.lang = shown === "zh" ? "zh-Hans" : shown;
}

/** Loads a part's texts, before something shows them. Texts that cannot be loaded are English. */
export async function needTexts(part: Part): Promise<void> {
  const missing = PARTS.slice(0, PARTS.indexOf(part) + 1).filter((one) => !neededParts.has(one));
  await Promise.all(missing.map((one) => loadPart(wanted, one)));
  for (const one of missing) neededParts.add(one);
}

export const shownLanguage = (): Language => (isLanguage(i18n.locale) ? i18n.locale : "en");

/** Returns false if the texts cannot be loaded, e.g. without a network. */
async function loadPart(language: Language, part: Part): Promise<boolean> {
  if (language === "en") return true;
  try {
    if (part === "refusals") await loadServerTexts();
    i18n.load(language, await catalogues[`./${language}/${part}.po`]!());
    return true;
  } catch {
    return false;
  }
}
