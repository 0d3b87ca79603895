import { showError, showSuccess, showWarning } from "../../components/messages/toast";
import { RequestError } from "../../io/http/request";
import { useCancelTask } from "../../queries/tasks";

interface Texts {
  title: string;
  /** Message if the task is being cancelled. */
  cancelled: string;
  /** Message if the task had already ended, with the place of its result. */
  finished: string;
}

/**
 * Returns a function that cancels a task whose dialog was cancelled before the response with the task's id arrived, and
 * shows the outcome. See decision 28.
 */
export function useCancelLate({ title, cancelled, finished }: Texts): (taskId: number) => void {
  const { mutateAsync } = useCancelTask({ quiet: true });
  return (taskId) =>
    void mutateAsync(taskId).then(
      () => showSuccess(title, cancelled),
      (error: unknown) => {
        if (error instanceof RequestError && error.status === 409) showWarning(title, finished);
        else showError(error);
      },
    );
}
