import { t } from "@lingui/core/macro";
import { useCallback, useRef } from "react";
import type { UndoEntry } from "../../../shared/api/undo";
import { messageOf, showFailure, showSuccess, showWarning } from "../../components/messages/toast";
import { type Outcome, useDeleteForGood, useRollBack } from "../../queries/undo";
import { doneText, failedText } from "./entryTexts";

interface Callbacks {
  /** Called when a command has succeeded or failed. The rows may be gone by then, and the focus with them. */
  onEnd: () => void;
  /** Called before `onEnd` if the command was a permanent deletion. */
  onDeletionEnd: () => void;
}

/**
 * Returns commands that restore or permanently delete entries, one at a time. They show their outcome even if the
 * user has left the page. Both callbacks must be stable.
 */
export function useUndoActions({ onEnd, onDeletionEnd }: Callbacks) {
  const { mutateAsync: back, isPending: isReturning } = useRollBack();
  const { mutateAsync: remove, isPending: isRemoving } = useDeleteForGood();
  /** A ref, because a second click may arrive before `isBusy` is rendered. */
  const isUnderWay = useRef(false);
  const run = useCallback(
    async (command: () => Promise<Outcome>, show: (outcome: Outcome) => void) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      // If the whole command fails, the mutation itself shows the error.
      await command().then(show, () => undefined);
      isUnderWay.current = false;
      onEnd();
    },
    [onEnd],
  );
  const rollBack = useCallback(
    (entries: readonly UndoEntry[]) =>
      void run(
        () => back(entries),
        (outcome) => showOutcome(t`Rolling Back`, "was restored", outcome),
      ),
    [run, back],
  );
  const deleteForGood = useCallback(
    (entries: readonly UndoEntry[]) =>
      void run(
        () => remove(entries).finally(onDeletionEnd),
        (outcome) => showOutcome(t`Deleting Permanently`, "was deleted", outcome),
      ),
    [run, remove, onDeletionEnd],
  );
  return { rollBack, deleteForGood, isRemoving, isBusy: isReturning || isRemoving };
}

function showOutcome(title: string, verb: "was restored" | "was deleted", outcome: Outcome): void {
  const { done, failed } = outcome;
  if (done.length > 0) showSuccess(title, doneText(outcome, verb));
  if (failed.length === 0) return;
  const reasons = failedText(outcome, messageOf);
  if (done.length > 0) showWarning(title, reasons);
  else showFailure(title, reasons);
}
