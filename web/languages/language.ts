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
/** The language that is shown, or has been chosen but is not shown yet. */
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

/**
 * Loads the texts in use in `language`, for `showLoaded`, and chooses it for the next visits of this browser. Returns
 * false if they cannot be loaded, and then keeps the earlier choice, or if another language has been chosen meanwhile.
 */
export async function chooseLanguage(language: Language): Promise<boolean> {
  wanted = language;
  const isLoaded = await loadParts(language);
  if (wanted !== language) return false;
  if (isLoaded) remember(KEY, language);
  else wanted = shownLanguage();
  return isLoaded;
}

/** Shows the page in `language` once the texts in use are loaded, or in English if they cannot be. */
export async function showLanguage(language: Language): Promise<void> {
  wanted = language;
  showLoaded((await loadParts(language)) ? language : "en");
}

/** Shows the page in a language whose texts are loaded. The page is rendered anew, so forms and dialogs lose their state. */
export function showLoaded(language: Language): void {
  i18n.activate(language);
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
}

/** Loads a part's texts, before something shows them. Texts that cannot be loaded are English. */
export async function needTexts(part: Part): Promise<void> {
  const missing = PARTS.slice(0, PARTS.indexOf(part) + 1).filter((one) => !neededParts.has(one));
  // A chosen language may not be shown yet.
  const languages = new Set([wanted, shownLanguage()]);
  await Promise.all([...languages].flatMap((language) => missing.map((one) => loadPart(language, one))));
  for (const one of missing) neededParts.add(one);
}

export const shownLanguage = (): Language => (isLanguage(i18n.locale) ? i18n.locale : "en");

/** Loads the parts in use. Returns false if not all can be loaded. */
async function loadParts(language: Language): Promise<boolean> {
  const areLoaded = await Promise.all([...neededParts].map((part) => loadPart(language, part)));
  return !areLoaded.includes(false);
}

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
