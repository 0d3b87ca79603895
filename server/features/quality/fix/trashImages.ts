import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { isLiveImage } from "../../../db/rows/images";
import type { Schema } from "../../../db/schema";
import type { ChangeTools, Order } from "../../bulk/change";
import { BATCH, changeImages } from "../../bulk/changeImages";
import type { Target } from "../listFindings";
import { type FixChange, forgetFixes, recordFixes, trashedImages } from "./fixRecords";

interface Folder {
  id: number;
  folder: string;
}

/** Moves copies of images to the trash, unless the other image has been deleted or has fewer annotations. */
export async function trashCopies(
  tools: ChangeTools,
  dataset: Folder,
  change: FixChange,
  targets: readonly Target[],
): Promise<void> {
  for (let from = 0; from < targets.length; from += BATCH) {
    const ids = await copiesAmong(tools.db, dataset.id, targets.slice(from, from + BATCH));
    if (ids.length === 0) continue;
    const at = new Date().toISOString();
    await recordFixes(
      tools.db,
      change,
      ids.map((image_id) => ({ image_id, annotation_id: null, revision: null, before: { deleted_at: at } })),
    );
    await changeImages(tools, dataset, orderOf(change, { what: "delete", at }, ids), ids);
  }
}

async function copiesAmong(db: Kysely<Schema>, datasetId: number, targets: readonly Target[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.id from json_to_recordset(${JSON.stringify(targets)}::json) as x(image_id integer, other_image_id integer)
    join images i on i.id = x.image_id join images o on o.id = x.other_image_id
    where i.dataset_id = ${datasetId}::integer and o.dataset_id = ${datasetId}::integer and i.id <> o.id
      and ${isLiveImage("i")} and ${isLiveImage("o")} and i.hash = o.hash and i.num_annotations <= o.num_annotations
    order by i.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Restores the images that a fix moved to the trash, unless they were restored or deleted again since. `onRestored` is
 * called with the number of images after each batch.
 */
export async function restoreCopies(
  tools: ChangeTools,
  dataset: Folder,
  change: FixChange,
  onRestored: (count: number) => void,
): Promise<void> {
  const trashed = await trashedImages(tools.db, change.id, dataset.id);
  const times = [...new Set(trashed.map(({ deleted_at }) => deleted_at))];
  for (const at of times) {
    const ids = trashed.filter(({ deleted_at }) => deleted_at === at).map(({ image_id }) => image_id);
    const { changed } = await changeImages(tools, dataset, orderOf(change, { what: "restore", at }, ids), ids);
    for (const id of ids) await forgetFixes(tools.db, change.id, id);
    onRestored(changed);
  }
}

const orderOf = ({ dataset_id, person_id }: FixChange, change: Order["change"], ids: number[]): Order => ({
  id: randomUUID(),
  dataset_id,
  person_id,
  change,
  selection: { ids },
});
