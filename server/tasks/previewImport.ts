import { previewImport as preview, previewPayload } from "../features/imports/previewImport";
import type { Payload, TaskHelpers } from "../queue/task";
import type { TaskTools } from "./tools";

/** Reports what the import of an uploaded annotation file would do, and stores nothing. */
export function previewImport(payload: Payload, tools: TaskHelpers & TaskTools) {
  return preview(tools, previewPayload.parse(payload));
}
