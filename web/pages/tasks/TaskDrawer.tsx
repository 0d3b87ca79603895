import { Drawer, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { Task } from "../../../shared/entities/task";
import { serverText } from "../../languages/serverText";
import { useTasks } from "../../queries/tasks";
import type { LogKind } from "./logKind";
import { TaskBadges } from "./TaskBadges";
import { TaskLog } from "./TaskLog";
import { CancelButton, TaskProgress, TaskState } from "./TaskRow";

/** Side panel with a task's live progress and log. */
export function TaskDrawer({ task, onClose }: { task: Task | undefined; onClose: () => void }) {
  const tasks = useTasks();
  const [only, setOnly] = useState<LogKind | null>(null);
  // Falls back to the task as it was opened if the list does not contain it.
  const now = (tasks.state === "loaded" && tasks.data.find(({ id }) => id === task?.id)) || task;
  return (
    <Drawer
      opened={task !== undefined}
      onClose={onClose}
      position="right"
      title={now && serverText(now.name)}
      size="md"
    >
      {now && (
        <Stack gap="xs">
          <Group justify="space-between">
            <TaskState task={now} />
            {!now.completed && <CancelButton key={now.id} task={now} />}
          </Group>
          <TaskProgress task={now} />
          <TaskBadges task={now} only={only} onOnly={setOnly} />
          <TaskLog task={now} only={only} />
        </Stack>
      )}
    </Drawer>
  );
}
