import { type Kysely, sql } from "kysely";
import type { Schema } from "../../../db/schema";
import { imagePages } from "../store/showImport";

/** Removes the imported keys of a dataset's images, unless another complete import of the dataset has image keys. */
export async function removeImageKeys(db: Kysely<Schema>, datasetId: number): Promise<void> {
  for await (const ids of imagePages(db, datasetId)) {
    await sql`
      update images set extra = '{}' where id = any(${ids}::int[]) and extra <> '{}' and not exists (
        select from imports where dataset_id = ${datasetId} and state = 'complete' and report @> '{"has_image_keys": true}')
    `.execute(db);
  }
}
