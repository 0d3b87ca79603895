import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import { hasRecords } from "./before";
import type { Order } from "./change";

/** Returns the argument of restoreImages or takeBackImages that undoes the change; null for an undo. */
export function undoKey({ id, change }: Order): string | null {
  if (change.what === "delete") return change.at;
  return change.what === "restore" || change.what === "takeBack" ? null : id;
}

/** Returns `undoKey` of a change that has been made, or null if there is nothing to undo. */
export async function undoOf(db: Kysely<Schema>, order: Order): Promise<string | null> {
  const key = undoKey(order);
  return key !== order.id || (await hasRecords(db, order)) ? key : null;
}
