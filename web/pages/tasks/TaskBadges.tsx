import { Group, UnstyledButton } from "@mantine/core";
import type { Task } from "../../../shared/entities/task";
import type { LogKind } from "./logKind";
import classes from "./TaskBadges.module.css";

interface Props {
  task: Task;
  /** The kind of lines that alone are shown. */
  only: LogKind | null;
  onOnly: (only: LogKind | null) => void;
}

/** Badges with a task's errors and warnings; pressed, its log shows only these. */
export function TaskBadges({ task, only, onOnly }: Props) {
  const badge = (kind: "error" | "warning", count: number) => (
    <UnstyledButton
      className={classes.badge}
      data-kind={kind}
      aria-pressed={only === kind}
      disabled={count === 0}
      onClick={() => onOnly(only === kind ? null : kind)}
    >
      {count} {kind}
      {count === 1 ? "" : "s"}
    </UnstyledButton>
  );
  return (
    <Group gap={6} wrap="nowrap">
      {badge("error", task.errors)}
      {badge("warning", task.warnings)}
    </Group>
  );
}
