import { t } from "@lingui/core/macro";
import type { Task } from "../../../../shared/entities/task";
import { i18n } from "../../../languages/i18n";
import { serverText } from "../../../languages/serverText";
import { isRunning } from "../../../queries/tasks";

/** Returns the running task's name, "Multiple tasks running ..." for several, or "Done" with the last task's name. */
export function taskText(tasks: readonly Task[]): string {
  const running = tasks.filter(isRunning);
  if (running.length > 1) return t`Multiple tasks running ...`;
  if (running[0]) return serverText(running[0].name);
  const last = lastTask(tasks);
  if (!last) return t`Done`;
  const ofLast = serverText(last.name);
  // In mid-sentence; other languages keep the capital letter, because German nouns have one.
  const name = i18n.locale === "en" ? `${ofLast.charAt(0).toLowerCase()}${ofLast.slice(1)}` : ofLast;
  return t`Done ${name}`;
}

export const lastTask = (tasks: readonly Task[]): Task | undefined =>
  tasks.reduce<Task | undefined>((newest, task) => (newest && newest.id > task.id ? newest : task), undefined);
