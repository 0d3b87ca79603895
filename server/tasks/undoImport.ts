import { z } from "zod";
import { undoImport as undo } from "../features/imports/undo/undoImport";
import type { Payload, TaskHelpers } from "../queue/task";
import type { TaskTools } from "./tools";

const payloadOf = z.object({ import_id: z.number(), user_id: z.number() });

/** Undoes an import as a whole. */
export function undoImport(payload: Payload, tools: TaskHelpers & TaskTools) {
  const { import_id, user_id } = payloadOf.parse(payload);
  return undo(tools, import_id, user_id);
}
