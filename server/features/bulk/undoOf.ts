import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import { isKept } from "./before";
import type { Order } from "./change";

/** Argument for restoreImages or takeBackImages to take the change back; null if there is nothing to take back. */
export async function undoOf(db: Kysely<Schema>, order: Order): Promise<string | null> {
  if (order.change.what === "delete") return order.change.at;
  return (await isKept(db, order)) ? order.id : null;
}
