import { dryRunImport as dryRun, dryRunPayload } from "../features/imports/dryRunImport";
import type { Payload, TaskHelpers } from "../queue/task";
import type { TaskTools } from "./tools";

/** Reports what the import of an uploaded annotation file would do, and stores nothing. */
export function dryRunImport(payload: Payload, tools: TaskHelpers & TaskTools) {
  return dryRun(tools, dryRunPayload.parse(payload));
}
