import type { Json } from "../../../../shared/entities/scalars";
import { objectOf } from "../../importReport/report";

/** Summarises a task's result in a sentence; zero counts are left out. */

export const scanText = (result: Json | null): string =>
  sentence(result, {
    created: "new",
    moved: "moved",
    changed: "changed",
    missing: "without a file",
    in_bin: "in the trash",
  }) || "Nothing has changed.";

export const generateText = (result: Json | null): string =>
  sentence(result, { added: "added", known: "there already", failed: "could not be fetched" }) || "Nothing was found.";

/** Undoing an import is a task of the same group as importing; its result tells them apart. Undefined: an import. */
export function undoneText(result: Json | null): string | undefined {
  const { removed, kept } = objectOf(result ?? undefined);
  if (typeof removed !== "number") return undefined;
  const rest = kept ? ` Kept because of later changes: ${kept}.` : "";
  return `${removed} annotations were removed.${rest}`;
}

function sentence(result: Json | null, words: Record<string, string>): string {
  const counts = objectOf(result ?? undefined);
  const parts = Object.entries(words).flatMap(([key, word]) => (counts[key] ? `${counts[key]} ${word}` : []));
  return parts.length > 0 ? `Images: ${parts.join(", ")}.` : "";
}
