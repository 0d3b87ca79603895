import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Entry, idOf, PARTS, type Part, root } from "./catalogue";
import { expandMacros, WITH_MACROS } from "./macros";

/** Folders of `web/pages` that belong to the first page and to the frame around all pages. */
const START_PAGES = /^web\/pages\/(auth|common|datasets|importReport|offline|shell|uploads)\//;

/** Messages that no page shows as it opens: texts of the server and failures. */
const LATER = /^web\/(languages|io|offline)\//;

/** Returns the part whose catalogue has the texts of a source. */
export function partOf(file: string): Part {
  if (LATER.test(file)) return "refusals";
  if (file.startsWith("web/annotator/") || file.startsWith("web/pages/annotate/")) return "annotator";
  return file.startsWith("web/pages/") && !START_PAGES.test(file) ? "pages" : "start";
}

/** Returns the paths of the web application's sources, relative to the repository. */
export const webSources = (): string[] =>
  readdirSync(join(root, "web"), { recursive: true, encoding: "utf8" })
    .map((name) => `web/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
    .sort();

/** Returns all texts of the sources by part, not translated. */
export async function collectTexts(): Promise<Record<Part, Entry[]>> {
  const found = new Map<string, Entry>();
  for (const file of webSources()) {
    const code = readFileSync(join(root, file), "utf8");
    if (!WITH_MACROS.test(code)) continue;
    await expandMacros(code, join(root, file), ({ message, context, comment }) => {
      const entry = found.get(idOf({ message, context })) ?? {
        message,
        context,
        comments: [],
        files: [],
        translation: "",
      };
      if (comment && !entry.comments.includes(comment)) entry.comments.push(comment);
      if (!entry.files.includes(file)) entry.files.push(file);
      found.set(idOf(entry), entry);
    });
  }
  const texts: Record<Part, Entry[]> = { start: [], refusals: [], pages: [], annotator: [] };
  for (const entry of found.values()) {
    const parts = entry.files.map(partOf);
    texts[PARTS.find((part) => parts.includes(part))!].push(entry);
  }
  return texts;
}
