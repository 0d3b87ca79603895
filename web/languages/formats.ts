import { i18n } from "./i18n";

/** Numbers and dates as the language of the page writes them. */

export const numberText = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(i18n.locale, options);

/** Returns the browser's own variant of the page's language if there is one, e.g. "de-AT", for `Intl`. */
export const dateLocale = (wanted: readonly string[] = globalThis.navigator?.languages ?? []): string =>
  wanted.find((tag) => tag.split("-", 1)[0] === i18n.locale) ?? i18n.locale;
