import { z } from "zod";
import { redoImport as redo } from "../features/trash/redoImport";
import type { Payload, TaskHelpers } from "../queue/task";
import type { TaskTools } from "./tools";

const payloadOf = z.object({ import_id: z.number(), user_id: z.number() });

/** Restores an undone import. */
export function redoImport(payload: Payload, tools: TaskHelpers & TaskTools) {
  const { import_id, user_id } = payloadOf.parse(payload);
  return redo(tools, import_id, user_id);
}
