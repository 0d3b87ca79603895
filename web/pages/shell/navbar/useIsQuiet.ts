import { useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import type { Task } from "../../../../shared/entities/task";
import { isNumber, recall, remember } from "../../../io/storage/localStore";
import { isRunning } from "../../../queries/tasks";
import { lastTask } from "./taskText";

/** Time for which the name of a task that has ended is shown, in milliseconds. */
const SHOWN_MS = 10_000;
/** Key of the last task with errors that the user has seen on the page of tasks. */
const SEEN = "tasks.seen";

/**
 * Returns true if the tasks need no attention: none runs, and the last one ended a while ago or before the page was
 * opened. A task with errors needs it until the user opens the page of tasks. `isHeld`: true while the pointer or the
 * focus is on the indicator.
 */
export function useIsQuiet(tasks: readonly Task[], isHeld: boolean): boolean {
  const isBusy = tasks.some(isRunning);
  const last = lastTask(tasks);
  const id = last?.id ?? 0;
  /** Highest id of the tasks whose end is no longer shown. */
  const [passed, setPassed] = useState(isBusy ? -1 : id);
  const [seen, setSeen] = useState(() => recall(SEEN, isNumber) ?? 0);
  const isOnPage = useLocation().pathname === "/tasks";
  const isUnseen = !isBusy && hasErrors(last) && id > seen;
  const isWaiting = !isBusy && !isHeld && !isUnseen && id > passed;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setPassed(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, id]);
  useEffect(() => {
    if (!isOnPage || !isUnseen) return;
    setSeen(id);
    remember(SEEN, id);
  }, [isOnPage, isUnseen, id]);
  return !isBusy && !isUnseen && id <= passed;
}

export const hasErrors = (task: Task | undefined): boolean =>
  task !== undefined && (task.state === "failed" || task.errors > 0);
