import { type Kysely, sql } from "kysely";
import { type Json, metadata } from "../../../../shared/entities/scalars";
import type { Schema } from "../../../db/schema";
import type { Item } from "../read/readItem";
import { unknownKeys } from "../read/unknownKeys";

/** Keys of images, and keys of older files that were internal to their server. */
const KNOWN: ReadonlySet<string> = new Set([
  "id",
  "width",
  "height",
  "file_name",
  "path",
  "dataset_id",
  "metadata",
  "category_ids",
  "annotated",
  "annotating",
  "num_annotations",
  "milliseconds",
  "events",
  "deleted",
  "deleted_date",
  "regenerate_thumbnail",
]);

/** Unknown keys of an image in a file (license, coco_url, …) and its metadata. */
export interface ImageKeys {
  extra: { [key: string]: Json };
  metadata: { [key: string]: Json };
}

/** Reads the unknown keys of an image; undefined if there are none. `dropped`: true if some cannot be stored. */
export function readImageKeys(item: Item): { keys: ImageKeys | undefined; dropped: boolean } {
  const { kept, dropped } = unknownKeys(item, KNOWN);
  const read = metadata.nullish().safeParse(item.metadata);
  const more = read.data as ImageKeys["metadata"] | null | undefined;
  const isEmpty = !kept && Object.keys(more ?? {}).length === 0;
  return { keys: isEmpty ? undefined : { extra: kept ?? {}, metadata: more ?? {} }, dropped: dropped || !read.success };
}

/** Adds keys to images. The file's `extra` keys replace existing keys; existing metadata is kept. */
export async function storeImageKeys(db: Kysely<Schema>, keys: ReadonlyMap<number, ImageKeys>): Promise<void> {
  const list = [...keys].map(([id, { extra, metadata }]) => ({ id, extra, metadata }));
  if (list.length === 0) return;
  await sql`
    update images set extra = images.extra || k.extra, metadata = k.metadata || images.metadata
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as k(id int, extra jsonb, metadata jsonb)
    where images.id = k.id`.execute(db);
}
