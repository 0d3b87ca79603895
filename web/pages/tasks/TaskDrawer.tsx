import { Drawer, Group, Stack } from "@mantine/core";
import type { Task } from "../../../shared/entities/task";
import { useTasks } from "../../queries/tasks";
import { TaskLog } from "./TaskLog";
import { CancelButton, TaskProgress, TaskState } from "./TaskRow";

/** A task beside the page it was started on, live while it runs. */
export function TaskDrawer({ task, onClose }: { task: Task | undefined; onClose: () => void }) {
  const { data: tasks } = useTasks();
  const now = tasks?.find(({ id }) => id === task?.id) ?? task;
  return (
    <Drawer opened={task !== undefined} onClose={onClose} position="right" title={now?.name} size="md">
      {now && (
        <Stack gap="xs">
          <Group justify="space-between">
            <TaskState task={now} />
            {!now.completed && <CancelButton task={now} />}
          </Group>
          <TaskProgress task={now} />
          <TaskLog task={now} />
        </Stack>
      )}
    </Drawer>
  );
}
