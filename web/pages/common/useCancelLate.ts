import { showError, showSuccess, showWarning } from "../../components/messages/toast";
import { RequestError } from "../../io/http/request";
import { useCancelTask } from "../../queries/tasks";

interface Texts {
  title: string;
  /** The task will end. */
  cancelled: string;
  /** It has ended before; what is left of it. */
  over: string;
}

/**
 * Returns how to cancel a task whose dialog was cancelled before the server had named it, and says what came of that. See
 * decision 28.
 */
export function useCancelLate({ title, cancelled, over }: Texts): (taskId: number) => void {
  const { mutateAsync } = useCancelTask({ quiet: true });
  return (taskId) =>
    void mutateAsync(taskId).then(
      () => showSuccess(title, cancelled),
      (error: unknown) => {
        if (error instanceof RequestError && error.status === 409) showWarning(title, over);
        else showError(error);
      },
    );
}
