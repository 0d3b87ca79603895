import type { Kysely } from "kysely";
import { distinctColor } from "../../../shared/color/distinctColor";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";

/** Older colours may come again. */
const LOOKED_AT = 50;

/** Returns a function that picks colours for new categories, each unlike the user's last ones. */
export function categoryColors(db: Kysely<Schema>, user: CurrentUser): () => Promise<string> {
  let last: string[] | undefined;
  return async () => {
    last ??= await lastColors(db, user);
    const color = distinctColor(last);
    last = [color, ...last].slice(0, LOOKED_AT);
    return color;
  };
}

async function lastColors(db: Kysely<Schema>, user: CurrentUser): Promise<string[]> {
  const rows = await db
    .selectFrom("categories")
    .select("color")
    .where("creator_id", "=", user.id)
    .where("deleted_at", "is", null)
    .orderBy("id", "desc")
    .limit(LOOKED_AT)
    .execute();
  return rows.map(({ color }) => color);
}
