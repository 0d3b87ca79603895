import { importCoco as bringIn } from "../features/imports/importCoco";
import { importPayload } from "../features/imports/store/importRow";
import type { Payload, TaskHelpers } from "../queue/task";
import type { TaskTools } from "./tools";

/** Brings an uploaded file of annotations into a dataset. */
export function importCoco(payload: Payload, tools: TaskHelpers & TaskTools) {
  return bringIn(tools, importPayload.parse(payload));
}
