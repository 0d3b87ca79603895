import { useCallback } from "react";
import type { UndoEntry } from "../../../shared/api/undo";
import { messageOf, showFailure, showSuccess, showWarning } from "../../components/toast";
import { type Outcome, useDeleteForGood, useRollBack } from "../../queries/undo";
import { doneText, failedText } from "./entryTexts";

interface Ends {
  /** Called when a command has ended, whatever became of it: the rows may be gone by then, and the focus with them. */
  onEnd: () => void;
  /** Called before that when it was a deletion for good. */
  onDeletionEnd: () => void;
}

/** Brings back, deletes for good, and shows what became of it. Both callbacks are the same functions at each render. */
export function useUndoActions({ onEnd, onDeletionEnd }: Ends) {
  const { mutate: back, isPending: isReturning } = useRollBack();
  const { mutate: remove, isPending: isRemoving } = useDeleteForGood();
  const rollBack = useCallback(
    (entries: readonly UndoEntry[]) =>
      back(entries, { onSuccess: (outcome) => say("Rolling Back", "is back", outcome), onSettled: onEnd }),
    [back, onEnd],
  );
  const deleteForGood = useCallback(
    (entries: readonly UndoEntry[]) =>
      remove(entries, {
        onSuccess: (outcome) => say("Deleting Permanently", "is deleted", outcome),
        onSettled: () => {
          onDeletionEnd();
          onEnd();
        },
      }),
    [remove, onEnd, onDeletionEnd],
  );
  return { rollBack, deleteForGood, isRemoving, isBusy: isReturning || isRemoving };
}

function say(title: string, verb: "is back" | "is deleted", outcome: Outcome): void {
  const { done, failed } = outcome;
  if (done.length > 0) showSuccess(title, doneText(outcome, verb));
  if (failed.length === 0) return;
  const reasons = failedText(outcome, messageOf);
  if (done.length > 0) showWarning(title, reasons);
  else showFailure(title, reasons);
}
