import { t } from "@lingui/core/macro";
import { TASK_GROUPS, type Task } from "../../../../shared/entities/task";
import { showFailure } from "../../../components/messages/toast";
import { useRefreshDataset } from "../../../queries/dataset";
import { useSession } from "../../../queries/session";
import { objectOf } from "../../importReport/report";
import { isBulkWhat, useBulkReport } from "../images/useBulkReport";
import { useButtonTask } from "./useButtonTask";

/** Shows the outcome of bulk tasks on a dataset's images, and reloads the dataset. */
export function useChangeTask(datasetId: number): void {
  const { user } = useSession();
  const refresh = useRefreshDataset(datasetId);
  const report = useBulkReport(datasetId);
  const handleEnd = (task: Task) => {
    void refresh();
    // Other users' tasks are not reported.
    if (task.creator !== user.username) return;
    if (task.state === "failed") showFailure(t`Changing Images`, t`The task failed. See its log under Tasks.`);
    const { what, changed, failed, undo } = objectOf(task.result);
    // A task that was cancelled or has failed may have changed images before.
    if (!isBulkWhat(what) || (task.state !== "done" && Number(changed) === 0)) return;
    report(what, {
      changed: Number(changed),
      failed: Number(failed),
      task: null,
      undo: typeof undo === "string" ? undo : null,
    });
  };
  useButtonTask({ datasetId, group: TASK_GROUPS.change, onEnd: handleEnd });
}
