import { t } from "@lingui/core/macro";
import { Loader, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { Task } from "../../../../shared/entities/task";
import { serverText } from "../../../components/messages/serverTexts";
import { i18n } from "../../../languages/i18n";
import { isRunning, useTasks } from "../../../queries/tasks";
import classes from "./Navbar.module.css";

/** Indicator of running tasks; links to the tasks page. */
export function TaskIndicator() {
  const tasks = useTasks();
  if (tasks.state !== "loaded")
    return <Indicator to="/tasks" text={tasks.state === "failed" ? t`Unknown` : t`Loading ...`} />;
  const running = tasks.data.filter(isRunning);
  const to = running.length === 1 ? `/tasks?id=${running[0]!.id}` : "/tasks";
  return <Indicator to={to} text={taskText(tasks.data)} isBusy={running.length > 0} />;
}

function Indicator({ to, text, isBusy = false }: { to: string; text: string; isBusy?: boolean }) {
  return (
    <Link to={to} className={classes.tasks} data-busy={isBusy || undefined}>
      {isBusy && <Loader size={12} />}
      <Text size="xs" truncate title={text}>
        {text}
      </Text>
    </Link>
  );
}

/** Returns the running task's name, "Multiple tasks running ..." for several, or "Done" with the last task's name. */
export function taskText(tasks: readonly Task[]): string {
  const running = tasks.filter(isRunning);
  if (running.length > 1) return t`Multiple tasks running ...`;
  if (running[0]) return serverText(running[0].name);
  const last = tasks.reduce<Task | undefined>(
    (newest, task) => (newest && newest.id > task.id ? newest : task),
    undefined,
  );
  if (!last) return t`Done`;
  const ofLast = serverText(last.name);
  // In mid-sentence; other languages keep the capital letter, because German nouns have one.
  const name = i18n.locale === "en" ? `${ofLast.charAt(0).toLowerCase()}${ofLast.slice(1)}` : ofLast;
  return t`Done ${name}`;
}
