import type { ImagesChanged } from "../../../shared/api/bulk";
import { showFailure, showSuccess, showWithAction } from "../../components/toast";
import { useRestoreImages } from "../../queries/bulk";

/** Failures that a toast names. */
const MOST_NAMED = 5;

/** Title and past tense of what the server can do to many pictures. */
const TEXTS = {
  delete: ["Deleting Images", "deleted"],
  restore: ["Restoring Images", "brought back"],
  move: ["Moving Images", "moved"],
  label: ["Labelling Images", "labelled"],
  mark: ["Marking Images", "marked"],
} as const;
export type BulkWhat = keyof typeof TEXTS;

export const isBulkWhat = (what: unknown): what is BulkWhat => typeof what === "string" && Object.hasOwn(TEXTS, what);

/** Tells what became of a change of many pictures; what was deleted can be brought back from the toast. */
export function useBulkReport(datasetId: number) {
  const restore = useRestoreImages(datasetId);
  const report = (what: BulkWhat, answer: Omit<ImagesChanged, "failures"> & Partial<ImagesChanged>): void => {
    const { changed, failed, failures = [], task, undo } = answer;
    const [title, verb] = TEXTS[what];
    if (task) {
      showSuccess(title, "There are many: this goes on as a task, see Tasks.");
      return;
    }
    const message = `${changed.toLocaleString("en")} ${changed === 1 ? "image was" : "images were"} ${verb}.`;
    // Whoever pressed it may have left this list by now. What goes wrong is told by the mutation itself.
    const handleUndo = (moment: string) =>
      restore.mutateAsync(moment).then(
        (back) => report("restore", back),
        () => undefined,
      );
    if (changed > 0 && undo) showWithAction(title, message, { label: "Undo", onClick: () => void handleUndo(undo) });
    else if (changed > 0) showSuccess(title, message);
    if (failed > 0) showFailure(title, failureText(failed, failures));
  };
  return report;
}

export function failureText(failed: number, failures: ImagesChanged["failures"]): string {
  const named = failures.slice(0, MOST_NAMED).map(({ id, message }) => `Image ${id}: ${message}`);
  const rest = failed > named.length ? [named.length > 0 ? `… and ${failed - named.length} more` : "See Tasks."] : [];
  return [`${failed} ${failed === 1 ? "image stays as it was" : "images stay as they were"}.`, ...named, ...rest].join(
    "\n",
  );
}
