import type { Started } from "../../features/imports/startImport";

/**
 * Returns the response of a call that starts a task. `celery_id` repeats the task's id as text, as older scripts
 * expect.
 */
export const started = ({ id, name }: Started) => ({ id, name, celery_id: String(id) });
