import type { Started } from "../../features/imports/startImport";

/** The answer of calls that start a task. `celery_id` is the task's id once more, as older scripts expect it. */
export const started = ({ id, name }: Started) => ({ id, name, celery_id: String(id) });
