import type { Json } from "../../../../shared/entities/scalars";
import { objectOf } from "../../importReport/report";

/** Summarises a task's result in a sentence; zero counts are left out. */

export const scanText = (result: Json | null): string =>
  sentence(result, {
    created: "new",
    moved: "moved",
    changed: "changed",
    missing: "without a file",
    in_bin: "in the bin",
  }) || "Nothing has changed.";

export const generateText = (result: Json | null): string =>
  sentence(result, { added: "added", known: "there already", failed: "could not be had" }) || "Nothing was found.";

/** Undoing an import is a task of the same group as importing; its result tells them apart. Undefined: an import. */
export function undoneText(result: Json | null): string | undefined {
  const { removed, kept } = objectOf(result ?? undefined);
  if (typeof removed !== "number") return undefined;
  const rest = kept ? ` ${kept} stay, because somebody has changed them since.` : "";
  return `${removed} annotations were taken back.${rest}`;
}

function sentence(result: Json | null, words: Record<string, string>): string {
  const counts = objectOf(result ?? undefined);
  const parts = Object.entries(words).flatMap(([key, word]) => (counts[key] ? `${counts[key]} ${word}` : []));
  return parts.length > 0 ? `Images: ${parts.join(", ")}.` : "";
}
