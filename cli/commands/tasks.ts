import { api } from "../../shared/api";
import type { Command } from "../base/command";
import { usageError } from "../base/errors";
import { table } from "../base/output";
import { waitForTask } from "../base/waitForTask";

export const listTasks: Command = {
  name: "tasks list",
  usage: "",
  summary: "List the tasks that you may see",
  words: [0, 0],
  async run({ output, connect }) {
    const all = await (await connect()).request(api.tasks.listTasks);
    const rows = all.map(({ id, state, progress, name }) => [id, state, `${Math.round(progress)} %`, name]);
    output.result(all, table(["ID", "STATE", "PROGRESS", "NAME"], rows));
  },
};

export const waitTask: Command = {
  name: "tasks wait",
  usage: "TASK",
  summary: "Wait until a task has ended. Fails with the end of its log if it did not succeed",
  words: [1, 1],
  async run({ words: [id = ""], output, connect, signal }) {
    if (!/^\d{1,10}$/.test(id)) throw usageError("TASK is the id of a task.");
    const task = await waitForTask(await connect(), Number(id), output, signal);
    output.result(task, `Task ${task.id} (${task.name}): done`);
  },
};
