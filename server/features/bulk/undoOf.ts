import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import { hasRecords } from "./before";
import type { Order } from "./change";

/**
 * Returns the argument of restoreImages or takeBackImages that undoes the change, or null if there is nothing to undo.
 */
export async function undoOf(db: Kysely<Schema>, order: Order): Promise<string | null> {
  if (order.change.what === "delete") return order.change.at;
  return (await hasRecords(db, order)) ? order.id : null;
}
