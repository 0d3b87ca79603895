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

/** Badges with the numbers of errors and warnings, if there are any. Pressing one limits the log to that kind. */
export function TaskBadges({ task, only, onOnly }: Props) {
  const { errors, warnings } = task;
  if (errors === 0 && warnings === 0) return null;
  const badge = (kind: "error" | "warning", text: string) => (
    <UnstyledButton
      className={classes.badge}
      data-kind={kind}
      aria-pressed={only === kind}
      onClick={() => onOnly(only === kind ? null : kind)}
    >
      {text}
    </UnstyledButton>
  );
  return (
    <Group gap={6} wrap="nowrap">
      {errors > 0 && badge("error", plural(errors, { one: "# error", other: "# errors" }))}
      {warnings > 0 && badge("warning", plural(warnings, { one: "# warning", other: "# warnings" }))}
    </Group>
  );
}
