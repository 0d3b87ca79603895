import type { Kysely } from "kysely";
import { distinctColor } from "../../../shared/color/distinctColor";
import type { CurrentUser } from "../../base/permissions";
import { isLiveCategory } from "../../db/rows/categories";
import type { Schema } from "../../db/schema";

/** Number of the user's latest categories whose colours a new colour avoids. */
const AVOIDED = 50;

/**
 * Returns a function that picks colours for new categories, each distinct from those of the user's latest categories.
 */
export function categoryColors(db: Kysely<Schema>, user: CurrentUser): () => Promise<string> {
  let last: string[] | undefined;
  return async () => {
    last ??= await lastColors(db, user);
    const color = distinctColor(last);
    last = [color, ...last].slice(0, AVOIDED);
    return color;
  };
}

async function lastColors(db: Kysely<Schema>, user: CurrentUser): Promise<string[]> {
  const rows = await db
    .selectFrom("categories")
    .select("color")
    .where("creator_id", "=", user.id)
    .where(isLiveCategory())
    .orderBy("id", "desc")
    .limit(AVOIDED)
    .execute();
  return rows.map(({ color }) => color);
}
