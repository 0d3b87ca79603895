import { plural, t } from "@lingui/core/macro";
import type { Json } from "../../../../shared/entities/scalars";
import { numberText } from "../../../languages/formats";
import { objectOf } from "../../importReport/report";

/** One-sentence summaries of task results. Zero counts are left out. */

export const scanText = (result: Json | null): string =>
  sentence(result, {
    created: (count) => t`${count} new`,
    moved: (count) => t`${count} moved`,
    changed: (count) => t`${count} changed`,
    missing: (count) => t`${count} without a file`,
    in_bin: (count) => t`${count} in the trash`,
  }) || t`Nothing has changed.`;

export const generateText = (result: Json | null): string =>
  sentence(result, {
    added: (count) => t`${count} added`,
    known: (count) => t`${count} already in the dataset`,
    failed: (count) => t`${count} could not be fetched`,
  }) || t`Nothing was found.`;

/**
 * Returns the summary of an undone import; undefined for the result of an import. Both tasks belong to the same group
 * and differ only in their results.
 */
export function undoneText(result: Json | null): string | undefined {
  const { removed, kept } = objectOf(result ?? undefined);
  if (typeof removed !== "number") return undefined;
  const first = plural(removed, { one: "# annotation was removed.", other: "# annotations were removed." });
  const count = Number(kept);
  return count > 0 ? `${first} ${t`Kept because of later changes: ${count}.`}` : first;
}

/** Returns the summary of a task that replaced boxes with outlines or restored the boxes. */
export function boxesText(result: Json | null): string {
  const { what, outlined, kept, restored } = objectOf(result ?? undefined);
  const count = numberText(Number(kept));
  const [first, rest] =
    what === "restoreBoxes"
      ? [
          plural(Number(restored), { one: "# box was restored.", other: "# boxes were restored." }),
          t`Outlines kept because of later changes: ${count}.`,
        ]
      : [
          plural(Number(outlined), { one: "# box was outlined.", other: "# boxes were outlined." }),
          t`Kept as boxes, because no outline fills them: ${count}.`,
        ];
  return Number(kept) > 0 ? `${first} ${rest}` : first;
}

function sentence(result: Json | null, words: Record<string, (count: number) => string>): string {
  const counts = objectOf(result ?? undefined);
  const parts = Object.entries(words).flatMap(([key, word]) => (counts[key] ? word(Number(counts[key])) : []));
  const list = parts.join(", ");
  return parts.length > 0 ? t`Images: ${list}.` : "";
}
