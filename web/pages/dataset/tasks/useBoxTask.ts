import { t } from "@lingui/core/macro";
import { TASK_GROUPS, type Task } from "../../../../shared/entities/task";
import { showFailure, showSuccess, showWarning, showWithAction } from "../../../components/messages/toast";
import { useRestoreBoxes } from "../../../queries/bulk";
import { useRefreshDataset } from "../../../queries/dataset";
import { useSession } from "../../../queries/session";
import { objectOf } from "../../importReport/report";
import { boxesText } from "./taskTexts";
import { useButtonTask } from "./useButtonTask";

/**
 * Returns the running task on a dataset's boxes. Shows its outcome, with a button to undo it, and reloads the dataset.
 */
export function useBoxTask(datasetId: number): Task | undefined {
  const { user } = useSession();
  const refresh = useRefreshDataset(datasetId);
  const restore = useRestoreBoxes(datasetId);
  const handleEnd = (task: Task) => {
    void refresh();
    // Other users' tasks are not reported.
    if (task.creator !== user.username) return;
    if (task.state === "failed") showFailure(t`Boxes`, t`The task failed. See its log under Tasks.`);
    if (task.state !== "done") return;
    const { undo, outlined, failed } = objectOf(task.result ?? undefined);
    const text = boxesText(task.result);
    // `mutateAsync`, because callbacks of `mutate` do not run once the component has unmounted.
    const handleUndo = (of: string) => void restore.mutateAsync(of).catch(() => undefined);
    if (typeof undo === "string" && Number(outlined) > 0)
      showWithAction(t`Boxes outlined`, text, { label: t`Undo`, onClick: () => handleUndo(undo) });
    else showSuccess(t`Boxes`, text);
    if (Number(failed) > 0) showWarning(t`Boxes`, t`Some images could not be read. See the task's log under Tasks.`);
  };
  return useButtonTask({ datasetId, group: TASK_GROUPS.outlineBoxes, onEnd: handleEnd });
}
