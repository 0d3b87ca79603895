import type { TaskStarted } from "../../../shared/entities/task";
import type { Started } from "../../queue/queue";

/**
 * Returns the response of a call that starts a task. `celery_id` repeats the task's id as text, as older scripts
 * expect; for a new task they get no other field.
 */
export const started = ({ id, name, existing }: Started): TaskStarted => ({
  id,
  name,
  celery_id: String(id),
  ...(existing && { existing }),
});
