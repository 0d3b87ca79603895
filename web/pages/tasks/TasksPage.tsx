import { plural, t } from "@lingui/core/macro";
import { Group, Stack, Text, Title } from "@mantine/core";
import { ListChecks } from "lucide-react";
import { useLocation, useSearchParams } from "react-router-dom";
import type { Task } from "../../../shared/entities/task";
import { EmptyState } from "../../components/lists/EmptyState";
import { ListHead } from "../../components/lists/ListHead";
import { LoadError } from "../../components/messages/LoadError";
import { serverText } from "../../languages/serverText";
import { isRunning, useTasks } from "../../queries/tasks";
import { PageTitle } from "../common/PageTitle";
import { RowSkeletons } from "../common/RowSkeletons";
import { TaskRow } from "./TaskRow";
import classes from "./TasksPage.module.css";

/** All tasks that the user may see, by group, newest first. `?id=` expands and highlights one. */
export function TasksPage() {
  const list = useTasks();
  const [search] = useSearchParams();
  const { key: visit } = useLocation();
  const highlightedId = Number(search.get("id"));
  return (
    <div className={classes.page}>
      <PageTitle>{t`Tasks`}</PageTitle>
      <ListHead title={list.state === "loaded" ? countText(list.data) : t`Tasks`} list={list} />
      {list.state === "loading" && <RowSkeletons height={46} />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void list.retry()} />}
      {list.state === "loaded" && list.data.length === 0 && (
        <EmptyState icon={ListChecks} title={t`No tasks`}>
          {t`Scans, imports and exports appear here while they run and afterwards.`}
        </EmptyState>
      )}
      {list.state === "loaded" &&
        byGroup(list.data).map(([group, members]) => (
          <section key={group} className={classes.group}>
            <Group gap="xs" mb={6}>
              <Title order={2}>{serverText(group)}</Title>
              {members.some(isRunning) && (
                <Text size="xs" c="dimmed">
                  {runningText(members.filter(isRunning).length, members.length)}
                </Text>
              )}
            </Group>
            <Stack gap={6}>
              {members.map((task) => (
                // Remounts the row on each visit, so that a repeated link highlights the task again.
                <TaskRow
                  key={task.id === highlightedId ? visit : task.id}
                  task={task}
                  isHighlighted={task.id === highlightedId}
                />
              ))}
            </Stack>
          </section>
        ))}
    </div>
  );
}

const runningText = (running: number, total: number): string => t`${running} of ${total} tasks running`;

const countText = (tasks: readonly Task[]): string =>
  plural(tasks.filter(isRunning).length, { other: "# tasks are running" });

function byGroup(tasks: readonly Task[]): [string, Task[]][] {
  const groups = new Map<string, Task[]>();
  for (const task of [...tasks].sort((a, b) => b.id - a.id))
    groups.set(task.group, [...(groups.get(task.group) ?? []), task]);
  return [...groups];
}
