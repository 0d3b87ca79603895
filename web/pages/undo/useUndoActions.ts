import { useCallback } from "react";
import type { UndoEntry } from "../../../shared/api/undo";
import { messageOf, showFailure, showSuccess, showWarning } from "../../components/toast";
import { type Outcome, useDeleteForGood, useRollBack } from "../../queries/undo";
import { doneText, failedText } from "./entryTexts";

/**
 * Bringing back and deleting for good, and what is said of it. `onDone`, the same function at each call: the rows may be
 * gone by then, and the focus with them.
 */
export function useUndoActions(onDone: () => void) {
  const { mutate: back, isPending: isReturning } = useRollBack();
  const { mutate: remove, isPending: isRemoving } = useDeleteForGood();
  const rollBack = useCallback(
    (entries: readonly UndoEntry[]) =>
      back(entries, { onSuccess: (outcome) => say("Rolling Back", "is back", outcome), onSettled: onDone }),
    [back, onDone],
  );
  const deleteForGood = useCallback(
    (entries: readonly UndoEntry[]) =>
      remove(entries, {
        onSuccess: (outcome) => say("Deleting Permanently", "is deleted", outcome),
        onSettled: onDone,
      }),
    [remove, onDone],
  );
  return { rollBack, deleteForGood, isBusy: isReturning || isRemoving };
}

function say(title: string, verb: "is back" | "is deleted", outcome: Outcome): void {
  const { done, failed } = outcome;
  if (done.length > 0) showSuccess(title, doneText(outcome, verb));
  if (failed.length === 0) return;
  const reasons = failedText(outcome, messageOf);
  if (done.length > 0) showWarning(title, reasons);
  else showFailure(title, reasons);
}
