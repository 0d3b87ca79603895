import { readLanguage, type Translated } from "../../scripts/languages/catalogue";

/**
 * Returns a function that translates an English text of the application, so that a walk can name controls in any
 * language.
 */
export function textsOf(language: Translated | "en"): (message: string, values?: Record<string, string>) => string {
  const entries = language === "en" ? [] : readLanguage(language);
  return (message, values = {}) => {
    const found = entries.find((entry) => entry.message === message && !entry.context);
    if (!found && language !== "en") throw new Error(`The ${language} catalogue has no text “${message}”.`);
    const text = found?.translation ?? message;
    return Object.entries(values).reduce((filled, [name, value]) => filled.replace(`{${name}}`, value), text);
  };
}
