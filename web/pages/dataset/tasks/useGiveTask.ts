import { plural, t } from "@lingui/core/macro";
import { TASK_GROUPS, type Task } from "../../../../shared/entities/task";
import { showFailure, showSuccess, showWarning } from "../../../components/messages/toast";
import { useRefreshDataset } from "../../../queries/dataset";
import { useSession } from "../../../queries/session";
import { objectOf } from "../../importReport/report";
import { useButtonTask } from "./useButtonTask";

/** Shows the outcome of tasks that give a dataset's images to annotators, and reloads the dataset. */
export function useGiveTask(datasetId: number): void {
  const { user } = useSession();
  const refresh = useRefreshDataset(datasetId);
  const handleEnd = (task: Task) => {
    void refresh();
    // Other users' tasks are not reported.
    if (task.creator !== user.username) return;
    if (task.state === "failed") showFailure(t`Consensus`, t`The task failed. See its log under Tasks.`);
    if (task.state !== "done") return;
    const { given, failed } = objectOf(task.result ?? undefined);
    const count = Number(given);
    showSuccess(t`Consensus`, plural(count, { one: "# copy was given.", other: "# copies were given." }));
    if (Number(failed) > 0)
      showWarning(t`Consensus`, t`Some images could not be copied. See the task's log under Tasks.`);
  };
  useButtonTask({ datasetId, group: TASK_GROUPS.giveImages, onEnd: handleEnd });
}
