import { Loader, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { Task } from "../../../shared/entities/task";
import { isRunning, useTasks } from "../../queries/tasks";
import classes from "./Navbar.module.css";

/** What runs on the server, in a word; leads to the task page. */
export function TaskIndicator() {
  const { data: tasks = [] } = useTasks();
  const running = tasks.filter(isRunning);
  const isBusy = running.length > 0;
  return (
    <Link to={running.length === 1 ? `/tasks?id=${running[0]!.id}` : "/tasks"} className={classes.tasks}>
      {isBusy && <Loader size={12} />}
      <Text size="xs" truncate title={taskText(tasks)}>
        {taskText(tasks)}
      </Text>
    </Link>
  );
}

/** 'Done' with the last task, the name of the one that runs, or that there are several. */
export function taskText(tasks: readonly Task[]): string {
  const running = tasks.filter(isRunning);
  if (running.length > 1) return "Multiple tasks running ...";
  if (running[0]) return running[0].name;
  const last = tasks.reduce<Task | undefined>(
    (newest, task) => (newest && newest.id > task.id ? newest : task),
    undefined,
  );
  return last ? `Done ${last.name.charAt(0).toLowerCase()}${last.name.slice(1)}` : "Done";
}
