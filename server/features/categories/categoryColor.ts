import type { Kysely } from "kysely";
import { distinctColor } from "../../../shared/color/distinctColor";
import type { Person } from "../../base/permissions";
import type { Schema } from "../../db/schema";

/** Older colours may come again. */
const LOOKED_AT = 50;

/** Returns a function that picks colours for new categories, each unlike the user's last ones. */
export function categoryColors(db: Kysely<Schema>, person: Person): () => Promise<string> {
  let last: string[] | undefined;
  return async () => {
    last ??= await lastColors(db, person);
    const color = distinctColor(last);
    last = [color, ...last].slice(0, LOOKED_AT);
    return color;
  };
}

async function lastColors(db: Kysely<Schema>, person: Person): Promise<string[]> {
  const rows = await db
    .selectFrom("categories")
    .select("color")
    .where("creator_id", "=", person.id)
    .where("deleted_at", "is", null)
    .orderBy("id", "desc")
    .limit(LOOKED_AT)
    .execute();
  return rows.map(({ color }) => color);
}
