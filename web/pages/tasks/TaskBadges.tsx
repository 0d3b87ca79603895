import { plural } from "@lingui/core/macro";
import { Group, UnstyledButton } from "@mantine/core";
import type { Task } from "../../../shared/entities/task";
import type { LogKind } from "./logKind";
import classes from "./TaskBadges.module.css";

interface Props {
  task: Task;
  /** Kind of lines to which the log is limited; null shows all. */
  only: LogKind | null;
  onOnly: (only: LogKind | null) => void;
}

/** Badges with the numbers of errors and warnings. Pressing one limits the log to that kind. */
export function TaskBadges({ task, only, onOnly }: Props) {
  const { errors, warnings } = task;
  const badge = (kind: "error" | "warning", count: number, text: string) => (
    <UnstyledButton
      className={classes.badge}
      data-kind={kind}
      aria-pressed={only === kind}
      disabled={count === 0}
      onClick={() => onOnly(only === kind ? null : kind)}
    >
      {text}
    </UnstyledButton>
  );
  return (
    <Group gap={6} wrap="nowrap">
      {badge("error", errors, plural(errors, { one: "# error", other: "# errors" }))}
      {badge("warning", warnings, plural(warnings, { one: "# warning", other: "# warnings" }))}
    </Group>
  );
}
