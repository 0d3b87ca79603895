import { t } from "@lingui/core/macro";
import { Button, Loader, UnstyledButton } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { Task } from "../../../../shared/entities/task";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import classes from "./TaskButton.module.css";

interface Props {
  icon: LucideIcon;
  label: string;
  /** Text shown while the task runs, e.g. "Scanning". */
  running: string;
  task: Task | undefined;
  /** True from the click until the server confirms the task. A number is the uploaded fraction, 0 to 1. */
  starting: boolean | number;
  onStart: () => void;
  onOpenTask: (task: Task) => void;
  disabled?: boolean;
}

/** Button that starts a task and then turns into its progress bar, which opens the task when clicked. */
export function TaskButton({ icon: Icon, label, running, task, starting, onStart, onOpenTask, disabled }: Props) {
  if (!task && starting === false)
    return (
      <NeedsServer>
        <Button
          variant="default"
          justify="flex-start"
          fullWidth
          leftSection={<Icon size={15} />}
          onClick={onStart}
          disabled={disabled}
        >
          {label}
        </Button>
      </NeedsServer>
    );
  const percent = task ? task.progress : typeof starting === "number" ? starting * 100 : 0;
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
