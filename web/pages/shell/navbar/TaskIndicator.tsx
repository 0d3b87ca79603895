import { t } from "@lingui/core/macro";
import { Loader, Text, VisuallyHidden } from "@mantine/core";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import type { Task } from "../../../../shared/entities/task";
import { isRunning, useTasks } from "../../../queries/tasks";
import classes from "./Navbar.module.css";
import { lastTask, taskText } from "./taskText";
import { hasErrors, useIsQuiet } from "./useIsQuiet";

/** Indicator of running tasks; links to the tasks page. */
export function TaskIndicator() {
  const tasks = useTasks();
  if (tasks.state === "loaded") return <Loaded tasks={tasks.data} />;
  return <Indicator to="/tasks" text={tasks.state === "failed" ? t`Unknown` : t`Loading ...`} />;
}

/** Shows the last task's name for a while after its end, then only a small icon. */
function Loaded({ tasks }: { tasks: readonly Task[] }) {
  const [isHeld, setHeld] = useState(false);
  const isQuiet = useIsQuiet(tasks, isHeld);
  const running = tasks.filter(isRunning);
  const isBusy = running.length > 0;
  const icon = isBusy ? (
    <Loader size={12} />
  ) : hasErrors(lastTask(tasks)) ? (
    <TriangleAlert size={isQuiet ? 17 : 13} role="img" aria-label={t`With errors:`} className={classes.failed} />
  ) : (
    isQuiet && <CircleCheck size={17} aria-hidden />
  );
  return (
    <Indicator
      to={running.length === 1 ? `/tasks?id=${running[0]!.id}` : "/tasks"}
      text={taskText(tasks)}
      icon={icon}
      isBusy={isBusy}
      isQuiet={isQuiet}
      onHold={setHeld}
    />
  );
}

interface Props {
  to: string;
  text: string;
  icon?: ReactNode;
  isBusy?: boolean;
  /** True if only the icon is shown. */
  isQuiet?: boolean;
  /** Called with true while the pointer or the focus is on the indicator. */
  onHold?: (isHeld: boolean) => void;
}

function Indicator({ to, text, icon, isBusy = false, isQuiet = false, onHold }: Props) {
  return (
    <Link
      to={to}
      className={classes.tasks}
      data-busy={isBusy || undefined}
      data-quiet={isQuiet || undefined}
      title={text}
      onPointerEnter={() => onHold?.(true)}
      onPointerLeave={() => onHold?.(false)}
      onFocus={() => onHold?.(true)}
      onBlur={() => onHold?.(false)}
    >
      {icon}
      {isQuiet ? (
        <VisuallyHidden>{text}</VisuallyHidden>
      ) : (
        <Text size="xs" truncate>
          {text}
        </Text>
      )}
    </Link>
  );
}
