// `npm run languages`: brings the catalogues up to date with the texts in the sources, and lists what is not
// translated.

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { catalogueFile, idOf, PARTS, readLanguage, TRANSLATED, writeCatalogue } from "./catalogue";
import { collectTexts } from "./collect";

const texts = await collectTexts();
for (const language of TRANSLATED) {
  const known = new Map(readLanguage(language).map((entry) => [idOf(entry), entry.translation]));
  for (const part of PARTS) {
    const entries = texts[part].map((entry) => ({ ...entry, translation: known.get(idOf(entry)) ?? "" }));
    mkdirSync(dirname(catalogueFile(language, part)), { recursive: true });
    writeCatalogue(language, part, entries);
    const open = entries.filter(({ translation }) => translation === "");
    console.log(`${language} ${part}: ${entries.length} texts, ${open.length} not translated`);
  }
}
