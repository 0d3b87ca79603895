import { Group, Loader, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Task } from "../../../shared/entities/task";
import { messageOf } from "../../components/toast";
import { useTaskLogs } from "../../queries/tasks";
import { kindOf, type LogKind } from "./logKind";
import classes from "./TaskLog.module.css";

/** A task's log, newest first; its badges show only errors or only warnings. */
export function TaskLog({ task }: { task: Task }) {
  const { data: lines, error } = useTaskLogs(task.id, !task.completed);
  const [only, setOnly] = useState<LogKind | null>(null);
  if (error && !lines) return <Text size="sm">{messageOf(error)}</Text>;
  if (!lines) return <Loader size="xs" m="xs" />;
  const shown = lines
    .map((text, number) => ({ text, number, kind: kindOf(text) }))
    .filter(({ kind }) => only === null || kind === only)
    .reverse();
  const badge = (kind: "error" | "warning", count: number) => (
    <UnstyledButton
      className={classes.badge}
      data-kind={kind}
      aria-pressed={only === kind}
      disabled={count === 0}
      onClick={() => setOnly(only === kind ? null : kind)}
    >
      {count} {kind}
      {count === 1 ? "" : "s"}
    </UnstyledButton>
  );
  return (
    <div>
      <Group gap={6} mb={6}>
        {badge("error", task.errors)}
        {badge("warning", task.warnings)}
      </Group>
      <ol className={classes.log} aria-label={`Log of ${task.name}`}>
        {shown.length === 0 && <li>No lines.</li>}
        {shown.map(({ text, number, kind }) => (
          <li key={number} data-kind={kind}>
            {text}
          </li>
        ))}
      </ol>
    </div>
  );
}
