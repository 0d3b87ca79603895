import { type Kysely, sql } from "kysely";
import type { Schema } from "../../../db/schema";

/** Returns images by their paths, as the list of consensus shows them. */
export function readImages(db: Kysely<Schema>, ids: readonly number[]) {
  return db
    .selectFrom("images")
    .select(["id", "file_name", "path", "width", "height", "num_annotations", "revision"])
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .orderBy("path_key")
    .orderBy("id")
    .execute();
}

/** Returns when the copies of images were last merged, by id of the image. */
export async function mergedImages(db: Kysely<Schema>, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ image_id: number; merged_at: Date }>`
    select image_id, merged_at from consensus_merges where image_id = any(${ids}::integer[])`.execute(db);
  return new Map(rows.map(({ image_id, merged_at }) => [image_id, merged_at.toISOString()]));
}
