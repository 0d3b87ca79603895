import type { ImagesChanged } from "../../../../shared/api/datasets/bulk";
import { showFailure, showSuccess, showWarning, showWithAction } from "../../../components/messages/toast";
import { useRestoreImages, useTakeBackImages } from "../../../queries/bulk";

/** Maximum number of failures listed in a toast. */
const MOST_NAMED = 5;

/** Title and past participle of each bulk command. */
const TEXTS = {
  delete: ["Deleting Images", "deleted"],
  restore: ["Restoring Images", "restored"],
  move: ["Moving Images", "moved"],
  label: ["Labelling Images", "labelled"],
  mark: ["Marking Images", "marked"],
  takeBack: ["Undoing", "put back"],
} as const;
export type BulkWhat = keyof typeof TEXTS;

export const isBulkWhat = (what: unknown): what is BulkWhat => typeof what === "string" && Object.hasOwn(TEXTS, what);

/** Returns a function that shows the outcome of a bulk command in a toast, with a button to undo it. */
export function useBulkReport(datasetId: number) {
  const restore = useRestoreImages(datasetId);
  const takeBack = useTakeBackImages(datasetId);
  const report = (what: BulkWhat, result: Omit<ImagesChanged, "failures"> & Partial<ImagesChanged>): void => {
    const { changed, failed, failures = [], task, undo } = result;
    const [title, verb] = TEXTS[what];
    if (task) {
      showSuccess(title, "This continues as a task. See Tasks.");
      return;
    }
    const message = `${changed.toLocaleString("en")} ${changed === 1 ? "image was" : "images were"} ${verb}.`;
    // `mutateAsync`, because callbacks of `mutate` do not run once the component has unmounted. The mutation itself
    // shows errors.
    const handleUndo = (of: string) =>
      (what === "delete" ? restore : takeBack).mutateAsync(of).then(
        (back) => report(what === "delete" ? "restore" : "takeBack", back),
        () => undefined,
      );
    if (changed > 0 && undo) showWithAction(title, message, { label: "Undo", onClick: () => void handleUndo(undo) });
    else if (changed + failed === 0) showWarning(title, "There was nothing to do.");
    else if (changed > 0) showSuccess(title, message);
    if (failed > 0) showFailure(title, failureText(failed, failures));
  };
  return report;
}

export function failureText(failed: number, failures: ImagesChanged["failures"]): string {
  const named = failures.slice(0, MOST_NAMED).map(({ id, message }) => `Image ${id}: ${message}`);
  const rest = failed > named.length ? [named.length > 0 ? `… and ${failed - named.length} more` : "See Tasks."] : [];
  return [
    `${failed.toLocaleString("en")} ${failed === 1 ? "image was not changed" : "images were not changed"}.`,
    ...named,
    ...rest,
  ].join("\n");
}
