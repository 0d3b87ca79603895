import { setupI18n } from "@lingui/core";

/**
 * Texts in the language of the page. The build imports it wherever a macro of Lingui stands. English needs no
 * catalogue, since its texts are in the code.
 */
export const i18n = setupI18n({ locale: "en", messages: { en: {} } });
