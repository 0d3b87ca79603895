import type { Kysely } from "kysely";
import { distinctColor } from "../../shared/rules/distinctColor";
import type { Schema } from "../db/schema";
import type { Person } from "../permissions";

/** Older colours may come again. */
const LOOKED_AT = 50;

/** A colour for a new category, unlike those of the person's last ones. */
export async function categoryColor(db: Kysely<Schema>, person: Person): Promise<string> {
  const rows = await db
    .selectFrom("categories")
    .select("color")
    .where("creator_id", "=", person.id)
    .where("deleted_at", "is", null)
    .orderBy("id", "desc")
    .limit(LOOKED_AT)
    .execute();
  return distinctColor(rows.map(({ color }) => color));
}
