import type { MessageDescriptor } from "@lingui/core";
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

/**
 * Returns a function that cancels a task whose dialog was cancelled before the response with the task's id arrived, and
 * shows the outcome. See decision 28.
 */
export function useCancelLate({ title, cancelled, finished }: Texts): (taskId: number) => void {
  const { mutateAsync } = useCancelTask({ quiet: true });
  return (taskId) =>
    void mutateAsync(taskId).then(
      () => showSuccess(i18n._(title), i18n._(cancelled)),
      (error: unknown) => {
        if (error instanceof RequestError && error.status === 409) showWarning(i18n._(title), i18n._(finished));
        else showError(error);
      },
    );
}
