import { useCallback, useRef } from "react";
import type { UndoEntry } from "../../../shared/api/undo";
import { messageOf, showFailure, showSuccess, showWarning } from "../../components/messages/toast";
import { type Outcome, useDeleteForGood, useRollBack } from "../../queries/undo";
import { doneText, failedText } from "./entryTexts";

interface Ends {
  /** Called when a command has ended, whatever became of it: the rows may be gone by then, and the focus with them. */
  onEnd: () => void;
  /** Called before that when it was a deletion for good. */
  onDeletionEnd: () => void;
}

/**
 * Brings back, deletes for good, and shows what became of it, also when the page was left meanwhile. One command at a time.
 * Both callbacks are the same functions at each render.
 */
export function useUndoActions({ onEnd, onDeletionEnd }: Ends) {
  const { mutateAsync: back, isPending: isReturning } = useRollBack();
  const { mutateAsync: remove, isPending: isRemoving } = useDeleteForGood();
  /** A second click comes before `isBusy` is rendered. */
  const isUnderWay = useRef(false);
  const run = useCallback(
    async (command: () => Promise<Outcome>, tell: (outcome: Outcome) => void) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      // Failures of the whole command are shown by the mutation itself.
      await command().then(tell, () => undefined);
      isUnderWay.current = false;
      onEnd();
    },
    [onEnd],
  );
  const rollBack = useCallback(
    (entries: readonly UndoEntry[]) =>
      void run(
        () => back(entries),
        (outcome) => say("Rolling Back", "was restored", outcome),
      ),
    [run, back],
  );
  const deleteForGood = useCallback(
    (entries: readonly UndoEntry[]) =>
      void run(
        () => remove(entries).finally(onDeletionEnd),
        (outcome) => say("Deleting Permanently", "was deleted", outcome),
      ),
    [run, remove, onDeletionEnd],
  );
  return { rollBack, deleteForGood, isRemoving, isBusy: isReturning || isRemoving };
}

function say(title: string, verb: "was restored" | "was deleted", outcome: Outcome): void {
  const { done, failed } = outcome;
  if (done.length > 0) showSuccess(title, doneText(outcome, verb));
  if (failed.length === 0) return;
  const reasons = failedText(outcome, messageOf);
  if (done.length > 0) showWarning(title, reasons);
  else showFailure(title, reasons);
}
