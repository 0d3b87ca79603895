import { t } from "@lingui/core/macro";
import { Loader, UnstyledButton } from "@mantine/core";
import type { Task } from "../../../../shared/entities/task";
import classes from "./TaskProgress.module.css";

interface Props {
  /** Text shown while the task runs, e.g. "Scanning". */
  running: string;
  task: Task | undefined;
  /** True from the click until the server confirms the task. */
  isStarting?: boolean;
  onOpenTask: (task: Task) => void;
}

/** Progress bar of a task, which opens the task when clicked. Shows nothing while there is no task. */
export function TaskProgress({ running, task, isStarting = false, onOpenTask }: Props) {
  if (!task && !isStarting) return null;
  const percent = task?.progress ?? 0;
  return (
    <UnstyledButton
      className={classes.bar}
      onClick={() => task && onOpenTask(task)}
      role="progressbar"
      aria-label={running}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      title={task ? t`Open the task` : undefined}
    >
      <span
        className={classes.fill}
        style={{ width: `${percent}%` }}
        data-failed={task?.state === "failed" || undefined}
      />
      <span className={classes.text}>
        {!task?.completed && <Loader size={12} />}
        {textOf(task, running)}
        <span className={classes.percent}>{Math.floor(percent)}%</span>
      </span>
    </UnstyledButton>
  );
}

function textOf(task: Task | undefined, running: string): string {
  if (task?.state === "failed") return t`Failed`;
  return task?.state === "cancelled" ? t`Cancelled` : running;
}
