import { importCoco as bringIn } from "../actions/coco/importCoco";
import { importPayload } from "../actions/coco/importRow";
import type { Payload, TaskHelpers } from "../queue/task";
import type { TaskTools } from "./tools";

/** Brings an uploaded COCO file into a dataset. */
export function importCoco(payload: Payload, tools: TaskHelpers & TaskTools) {
  const { import_id, upload } = importPayload.parse(payload);
  return bringIn(tools, import_id, upload);
}
