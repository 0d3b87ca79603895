import { z } from "zod";
import { task } from "../entities/task";
import { declare } from "./protocol/call";
import { idInPath } from "./protocol/inputs";
import { success } from "./protocol/outputs";

const params = z.object({ id: idInPath });

export const listTasks = declare({
  method: "GET",
  path: "/tasks/",
  title: "Loading Tasks",
  access: "user",
  summary: "List the tasks that the caller may see",
  output: z.array(task),
});

export const getTaskLogs = declare({
  method: "GET",
  path: "/tasks/{id}/logs",
  title: "Loading Tasks",
  access: "user",
  summary: "Get a task's log",
  params,
  output: z.object({ logs: z.array(z.string()) }),
});

export const cancelTask = declare({
  method: "POST",
  path: "/tasks/{id}/cancel",
  title: "Cancelling Task",
  access: "user",
  summary: "Ask a running task to stop",
  params,
  output: success,
});

export const deleteTask = declare({
  method: "DELETE",
  path: "/tasks/{id}",
  title: "Deleting Task",
  access: "user",
  summary: "Delete a finished task",
  params,
  output: success,
});
