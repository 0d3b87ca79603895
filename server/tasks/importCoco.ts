import { importCoco as runImport } from "../features/imports/importCoco";
import { importPayload } from "../features/imports/store/importRow";
import type { Payload, TaskHelpers } from "../queue/task";
import type { TaskTools } from "./tools";

/** Imports an uploaded annotation file into a dataset. */
export function importCoco(payload: Payload, tools: TaskHelpers & TaskTools) {
  return runImport(tools, importPayload.parse(payload));
}
