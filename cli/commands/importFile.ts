import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { api } from "../../shared/api";
import { choiceOf } from "../base/choiceOf";
import type { Command } from "../base/command";
import { findDataset } from "../base/connect";
import { CommandError } from "../base/errors";
import { waitForTask } from "../base/waitForTask";

export const importFile: Command = {
  name: "import",
  usage: "FILE --dataset DATASET",
  summary: "Import annotations for the images of a dataset: a COCO file, or a zip of YOLO or Pascal VOC files",
  words: [1, 1],
  options: {
    dataset: { type: "string" },
    "dry-run": { type: "boolean" },
    pixels: { type: "string" },
    "no-wait": { type: "boolean" },
  },
  optionHelp: {
    "dataset DATASET": "id or name",
    "dry-run": "store nothing, and report what the import would do",
    "pixels stored|upright": "pixels of the coordinates, if an image's size does not show them",
    "no-wait": "end when the file is sent; the task goes on",
  },
  async run({ words: [path = ""], text, has, output, connect, signal }) {
    const pixels = choiceOf("pixels", text("pixels"), ["stored", "upright"]);
    const file = await openFile(path);
    const client = await connect();
    const { id } = await findDataset(client, text("dataset") ?? "");
    const query = { dry_run: has("dry-run"), pixels };
    const started = await client.upload(api.dataset.importCoco, { params: { id }, query, files: [file] });
    if (has("no-wait")) return output.result(started, `Task ${started.id}: ${started.name}`);
    const task = await waitForTask(client, started.id, output, signal);
    output.result(task, `${has("dry-run") ? "The import would do this" : "Imported"}:\n${reportOf(task.result)}`);
  },
};

/** Opens a file without reading it into memory. */
async function openFile(path: string): Promise<File> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new CommandError(`There is no file ${path}.`);
  return new File([await openAsBlob(path)], basename(path));
}

/** Returns the counts of a report, one a line. Lists and further details are in the JSON. */
function reportOf(result: unknown): string {
  if (typeof result !== "object" || result === null) return "";
  const plain = Object.entries(result).filter(([, value]) => typeof value === "number");
  return plain.map(([name, value]) => `  ${name.replaceAll("_", " ")}: ${value}`).join("\n");
}
