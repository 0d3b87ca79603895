import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { compiledMessages, readCatalogue } from "./catalogue.ts";
import { expandMacros, WITH_MACROS } from "./macros.ts";

/**
 * Vite plugin for texts: expands the macros of Lingui, and `import { messages } from "de/start.po"` returns the
 * compiled texts of a catalogue by their ids.
 */
export function languages(): Plugin {
  return {
    name: "languages",
    enforce: "pre",
    transform: {
      filter: { id: /\.tsx?$/, code: WITH_MACROS },
      handler: (code, id) => expandMacros(code, id),
    },
    load: {
      filter: { id: /\.po$/ },
      handler(id) {
        this.addWatchFile(id);
        const messages = compiledMessages(readCatalogue(readFileSync(id, "utf8")));
        // A string for JSON.parse is read faster than an object literal, and an error in it cannot become code.
        return {
          code: `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(messages))});`,
          moduleType: "js",
        };
      },
    },
  };
}
