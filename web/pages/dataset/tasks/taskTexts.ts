import type { Json } from "../../../../shared/entities/scalars";
import { objectOf } from "../../importReport/report";

/** One-sentence summaries of task results. Zero counts are left out. */

export const scanText = (result: Json | null): string =>
  sentence(result, {
    created: "new",
    moved: "moved",
    changed: "changed",
    missing: "without a file",
    in_bin: "in the trash",
  }) || "Nothing has changed.";

export const generateText = (result: Json | null): string =>
  sentence(result, { added: "added", known: "already in the dataset", failed: "could not be fetched" }) ||
  "Nothing was found.";

/**
 * Returns the summary of an undone import; undefined for the result of an import. Both tasks belong to the same group
 * and differ only in their results.
 */
export function undoneText(result: Json | null): string | undefined {
  const { removed, kept } = objectOf(result ?? undefined);
  if (typeof removed !== "number") return undefined;
  const rest = kept ? ` Kept because of later changes: ${kept}.` : "";
  return `${removed} ${removed === 1 ? "annotation was" : "annotations were"} removed.${rest}`;
}

/** Returns the summary of a task that replaced boxes with outlines or restored the boxes. */
export function boxesText(result: Json | null): string {
  const { what, outlined, kept, restored } = objectOf(result ?? undefined);
  const [count, done, rest] =
    what === "restoreBoxes"
      ? [Number(restored), "restored", "Outlines kept because of later changes"]
      : [Number(outlined), "outlined", "Kept as boxes, because no outline fills them"];
  const first = `${count.toLocaleString("en")} ${count === 1 ? "box was" : "boxes were"} ${done}.`;
  return Number(kept) > 0 ? `${first} ${rest}: ${Number(kept).toLocaleString("en")}.` : first;
}

function sentence(result: Json | null, words: Record<string, string>): string {
  const counts = objectOf(result ?? undefined);
  const parts = Object.entries(words).flatMap(([key, word]) => (counts[key] ? `${counts[key]} ${word}` : []));
  return parts.length > 0 ? `Images: ${parts.join(", ")}.` : "";
}
