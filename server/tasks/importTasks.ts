import { z } from "zod";
import { dryRunImport as dryRun, dryRunPayload } from "../features/imports/dryRunImport";
import { importCoco as runImport } from "../features/imports/importCoco";
import { importPayload } from "../features/imports/store/importRow";
import { undoImport as undo } from "../features/imports/undo/undoImport";
import { redoImport as redo } from "../features/trash/redoImport";
import type { Payload, TaskHelpers } from "../queue/task";
import type { TaskTools } from "./common/tools";

/** The tasks of imports, whose work is in server/features. */

type Tools = TaskHelpers & TaskTools;

const payloadOf = z.object({ import_id: z.number(), user_id: z.number() });

/** Imports an uploaded annotation file into a dataset. */
export function importCoco(payload: Payload, tools: Tools) {
  return runImport(tools, importPayload.parse(payload));
}

/** Reports what the import of an uploaded annotation file would do, and stores nothing. */
export function dryRunImport(payload: Payload, tools: Tools) {
  return dryRun(tools, dryRunPayload.parse(payload));
}

/** Undoes an import as a whole. */
export function undoImport(payload: Payload, tools: Tools) {
  const { import_id, user_id } = payloadOf.parse(payload);
  return undo(tools, import_id, user_id);
}

/** Restores an undone import. */
export function redoImport(payload: Payload, tools: Tools) {
  const { import_id, user_id } = payloadOf.parse(payload);
  return redo(tools, import_id, user_id);
}
