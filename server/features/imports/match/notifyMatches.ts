import { notifyCategories } from "../../categories/notifyCategories";
import type { CategoryMatch } from "./matchCategories";

/** Notifies open images of categories that an import, its undo or its redo has created, changed or listed. */
export function notifyMatches(
  { db, live }: Parameters<typeof notifyCategories>[0],
  { dataset_id: datasetId }: { dataset_id: number },
  matches: readonly CategoryMatch[],
): Promise<void> {
  const changed = matches.filter(({ added, how }) => added || how !== "found").map(({ id }) => id);
  return notifyCategories({ db, live }, changed, { datasetId });
}
