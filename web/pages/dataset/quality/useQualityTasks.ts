import { plural, t } from "@lingui/core/macro";
import { TASK_GROUPS, type Task } from "../../../../shared/entities/task";
import { showFailure, showSuccess, showWithAction } from "../../../components/messages/toast";
import { useRefreshDataset } from "../../../queries/dataset";
import { useUndoFixes } from "../../../queries/tabs/quality";
import { objectOf } from "../../importReport/report";
import { useButtonTask } from "../tasks/useButtonTask";

/** Returns the running check and the running fix. Reloads the dataset when they end, and shows what a fix has done. */
export function useQualityTasks(datasetId: number): { check: Task | undefined; fix: Task | undefined } {
  const refresh = useRefreshDataset(datasetId);
  const undoFixes = useUndoFixes(datasetId);
  const handleCheck = (task: Task) => {
    void refresh();
    if (task.state === "failed") showFailure(t`Quality Check`, t`The task failed. See its log under Tasks.`);
  };
  const handleFix = (task: Task) => {
    void refresh();
    if (task.state === "failed") showFailure(t`Quality Check`, t`The task failed. See its log under Tasks.`);
    if (task.state !== "done") return;
    const { fixed, restored, kept, undo } = objectOf(task.result ?? undefined);
    if (typeof restored === "number")
      return showSuccess(t`Quality Check`, plural(restored, { one: "# was restored.", other: "# were restored." }));
    const text = fixedText(Number(fixed), Number(kept));
    // `mutateAsync`, because callbacks of `mutate` do not run once the component has unmounted.
    const handleUndo = (of: string) => void undoFixes.mutateAsync(of).catch(() => undefined);
    if (typeof undo === "string")
      showWithAction(t`Quality Check`, text, { label: t`Undo`, onClick: () => handleUndo(undo) });
    else showSuccess(t`Quality Check`, text);
  };
  const check = useButtonTask({ datasetId, group: TASK_GROUPS.checkQuality, onEnd: handleCheck });
  const fix = useButtonTask({ datasetId, group: TASK_GROUPS.fixFindings, onEnd: handleFix });
  return { check, fix };
}

function fixedText(fixed: number, kept: number): string {
  const first = plural(fixed, { one: "# was fixed.", other: "# were fixed." });
  return kept > 0 ? `${first} ${t`Kept, because they cannot be fixed safely or were changed since: ${kept}.`}` : first;
}
