import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { ActionIcon, Button, Collapse, Group, Progress, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { ChevronDown, ChevronRight, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Task } from "../../../shared/entities/task";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { isRepeatedClick } from "../../components/isRepeatedClick";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { utcText } from "../../components/utcText";
import { i18n } from "../../languages/i18n";
import { serverText } from "../../languages/serverText";
import { useCancelTask, useDeleteTask } from "../../queries/tasks";
import type { LogKind } from "./logKind";
import { TaskBadges } from "./TaskBadges";
import { TaskLog } from "./TaskLog";
import classes from "./TaskRow.module.css";
import { taskMeta } from "./taskMeta";

/**
 * One task: id, name, progress, and a log that can be expanded. The badges open the log with only errors or only
 * warnings. `isHighlighted` expands, scrolls to and highlights the task that a link points to.
 */
export function TaskRow({ task, isHighlighted = false }: { task: Task; isHighlighted?: boolean }) {
  const { id } = task;
  const name = serverText(task.name);
  const [isOpen, setOpen] = useState(isHighlighted);
  const [only, setOnly] = useState<LogKind | null>(null);
  const row = useRef<HTMLElement>(null);
  const remove = useDeleteTask();
  const submitDelete = useSubmitOnce(remove);
  useEffect(() => {
    if (isHighlighted) row.current?.scrollIntoView({ block: "center" });
  }, [isHighlighted]);
  const handleOnly = (kind: LogKind | null) => {
    setOnly(kind);
    if (kind) setOpen(true);
  };
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <article className={classes.row} ref={row} data-highlighted={isHighlighted || undefined} aria-label={name}>
      <Group gap="4px 12px">
        <UnstyledButton className={classes.head} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          <Chevron size={15} aria-hidden />
          <Text size="sm" truncate>
            {task.id}. {name}
          </Text>
          <Text size="xs" c="dimmed" className={classes.meta} title={utcText(task.created_at)}>
            {taskMeta(task)}
          </Text>
        </UnstyledButton>
        <TaskBadges task={task} only={only} onOnly={handleOnly} />
        <TaskState task={task} />
        {!task.completed && <CancelButton task={task} />}
        <div className={classes.delete}>
          {task.completed && (
            <Tooltip label={t`Delete`}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t`Delete task ${id}`}
                loading={remove.isPending}
                // The next task moves to this place.
                onClick={(event) => isRepeatedClick(event) || submitDelete(task.id, null, null)}
              >
                <Trash2 size={15} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      </Group>
      <TaskProgress task={task} />
      <Collapse expanded={isOpen}>{isOpen && <TaskLog task={task} only={only} />}</Collapse>
    </article>
  );
}

const STATES: Record<Task["state"], MessageDescriptor> = {
  queued: msg`queued`,
  running: msg`running`,
  done: msg`done`,
  failed: msg`failed`,
  cancelled: msg`cancelled`,
};

export function TaskState({ task }: { task: Task }) {
  return (
    <Text size="xs" c={task.state === "failed" ? "red" : "dimmed"} className={classes.state}>
      {task.state === "running" ? `${Math.floor(task.progress)}%` : i18n._(STATES[task.state])}
    </Text>
  );
}

/** The progress of a task that has not ended. */
export function TaskProgress({ task }: { task: Task }) {
  if (task.completed) return null;
  const name = serverText(task.name);
  return (
    <Progress
      value={task.progress}
      color={task.state === "running" ? "teal" : "gray"}
      size="sm"
      my={8}
      aria-label={t`Progress of ${name}`}
    />
  );
}

export function CancelButton({ task }: { task: Task }) {
  const cancel = useCancelTask();
  const submit = useSubmitOnce(cancel);
  // Stays busy after the request, until the task's own state shows that it has stopped.
  const isSent = cancel.isPending || cancel.isSuccess;
  return (
    <NeedsServer>
      <Button size="compact-xs" variant="default" loading={isSent} onClick={() => submit(task.id, null, null)}>
        {t`Cancel`}
      </Button>
    </NeedsServer>
  );
}
