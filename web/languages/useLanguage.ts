import { useSyncExternalStore } from "react";
import { i18n } from "./i18n";
import { type Language, shownLanguage } from "./language";

/** Returns the language of the page, and renders again when it changes. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, shownLanguage);

const subscribe = (onChange: () => void): (() => void) => i18n.on("change", onChange);
