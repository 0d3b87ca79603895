import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";

/** Returns the uuids of an image's last `count` edits up to a revision of the image, newest first. */
export async function newestEdits(
  db: Kysely<Schema>,
  { id, revision }: { id: number; revision: number },
  count: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("edit_history")
    .select("edit")
    .where("image_id", "=", id)
    .where("image_revision", "<=", revision)
    .orderBy("image_revision", "desc")
    .limit(count)
    .execute();
  return rows.flatMap(({ edit }) => edit ?? []);
}
