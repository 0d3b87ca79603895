import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import { isKept } from "./before";
import type { Order } from "./change";

/** What restoreImages or takeBackImages needs to take a change back that was done; null where nothing is to be taken back. */
export async function undoOf(db: Kysely<Schema>, order: Order): Promise<string | null> {
  if (order.change.what === "delete") return order.change.at;
  return (await isKept(db, order)) ? order.id : null;
}
