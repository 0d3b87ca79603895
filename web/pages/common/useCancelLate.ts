import type { MessageDescriptor } from "@lingui/core";
import { t } from "@lingui/core/macro";
import type { UseMutationResult } from "@tanstack/react-query";
import { useRef } from "react";
import type { TaskStarted } from "../../../shared/entities/task";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { showError, showSuccess, showWarning } from "../../components/messages/toast";
import { RequestError } from "../../io/http/request";
import { i18n } from "../../languages/i18n";
import { useCancelTask } from "../../queries/tasks";

/** Constants of a module, translated when they are shown. */
interface Texts {
  title: MessageDescriptor;
  /** Message if the task is being cancelled. */
  cancelled: MessageDescriptor;
  /** Message if the task had already ended, with the place of its result. */
  finished: MessageDescriptor;
}

type Task = Pick<TaskStarted, "id" | "existing">;

/**
 * Returns a function that cancels a task whose dialog was cancelled before the response with the task's id arrived, and
 * shows the outcome. A task that an earlier request had started continues, as it may be another user's. See decision 28.
 */
export function useCancelLate({ title, cancelled, finished }: Texts): (task: Task) => void {
  const { mutateAsync } = useCancelTask({ quiet: true });
  return ({ id, existing }) => {
    if (existing) return showWarning(i18n._(title), t`An earlier request had already started this task. It continues.`);
    void mutateAsync(id).then(
      () => showSuccess(i18n._(title), i18n._(cancelled)),
      (error: unknown) => {
        if (error instanceof RequestError && error.status === 409) showWarning(i18n._(title), i18n._(finished));
        else showError(error);
      },
    );
  };
}

interface TaskForm<Variables> {
  /** Starts the task, once. `onStarted` is called if the form is still open then. */
  submit: (variables: Variables, onStarted: () => void) => void;
  /** Call when the user closes the form: a task whose start is under way is cancelled as soon as its id is known. */
  cancel: () => void;
}

/**
 * Returns the functions of a form that starts a task. Leaving the page does not cancel the task; only `cancel` does.
 * Pass `opened` for a dialog that stays mounted while closed.
 */
export function useTaskForm<Variables>(
  start: Pick<UseMutationResult<Task, Error, Variables>, "mutateAsync" | "reset">,
  texts: Texts,
  opened = true,
): TaskForm<Variables> {
  const submitOnce = useSubmitOnce(start, opened);
  const cancelLate = useCancelLate(texts);
  /** The open form. A second Enter belongs to the same form as the first. */
  const form = useRef({ isCancelled: false });
  return {
    submit: (variables, onStarted) => {
      const mine = form.current;
      submitOnce(variables, onStarted, (task) => mine.isCancelled && cancelLate(task));
    },
    cancel: () => {
      form.current.isCancelled = true;
      form.current = { isCancelled: false };
    },
  };
}
