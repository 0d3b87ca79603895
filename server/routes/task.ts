import { cancelTask, deleteTask, getTaskLogs, listTasks } from "../../shared/api/tasks";
import { conflict } from "../base/errors";
import { removeUnstarted } from "../features/imports/undo/removeImport";
import { logLine, taskDocument } from "../features/tasks/taskDocument";
import { ownTask, visibleTask, visibleTasks } from "../features/tasks/visibleTask";
import { requestCancel } from "../queue/queue";
import { type Route, route } from "./http/route";

/** Number of newest tasks in a response. */
const NEWEST = 1000;

export const taskRoutes: Route[] = [
  route(listTasks, async ({ user, services: { db } }) => {
    const rows = await visibleTasks(db, user).orderBy("tasks.id", "desc").limit(NEWEST).execute();
    return rows.reverse().map(taskDocument);
  }),

  route(getTaskLogs, async ({ params, user, services: { db } }) => {
    const { id } = await visibleTask(db, user, params.id);
    const lines = await db.selectFrom("task_logs").selectAll().where("task_id", "=", id).orderBy("line").execute();
    return { logs: lines.map(logLine) };
  }),

  route(cancelTask, async ({ params, user, services: { db, wakeRunner } }) => {
    const { id } = await ownTask(db, user, params.id);
    const state = await requestCancel(db, id);
    if (state === undefined) throw conflict("The task has already ended.");
    if (state === "cancelled") await removeUnstarted(db, id);
    wakeRunner();
    return { success: true };
  }),

  route(deleteTask, async ({ params, user, services: { db } }) => {
    const { id } = await ownTask(db, user, params.id);
    const { numDeletedRows } = await db
      .deleteFrom("tasks")
      .where("id", "=", id)
      .where("state", "not in", ["queued", "running"])
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw conflict("Task is not completed");
    return { success: true };
  }),
];
